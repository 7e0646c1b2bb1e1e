import { type ChainId, type Namespace, parseChainId } from '@latchkey/wire'
import { invalidAddress, parseAddress } from './evm/address.ts'
import type { Failure } from './http/failure.ts'
import { parseSolanaAddress } from './solana/address.ts'

/** An account's address in the form in which the server compares it, and the namespace that has such addresses. */
export type AccountAddress = { readonly namespace: Namespace; readonly address: string }

/** The account that a text names, or undefined if it is no address. */
export function parseAccountAddress(text: string): AccountAddress | undefined {
  const evm = parseAddress(text)
  if (evm !== undefined) return { namespace: 'eip155', address: evm }
  const solana = parseSolanaAddress(text)
  return solana === undefined ? undefined : { namespace: 'solana', address: solana }
}

/** The failure for a request whose `address` is not one of the chain's; without a chain, of none. */
export function invalidAccountAddress(chainId: ChainId | undefined): Failure {
  if (chainId === undefined || parseChainId(chainId).namespace !== 'solana')
    return invalidAddress('address')
  const description = 'The address is not valid: 32 bytes in base58 are expected'
  return { status: 400, field: 'address', description }
}
