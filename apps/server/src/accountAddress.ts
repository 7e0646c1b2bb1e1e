import { type ChainId, type Namespace, parseChainId } from '@latchkey/wire'
import { getScript, isBitcoinChain, parseAnyBitcoinAddress } from './bitcoin/chain.ts'
import { invalidAddress, parseAddress } from './evm/address.ts'
import type { Failure } from './http/failure.ts'
import { parsePolkadotAddress } from './polkadot/address.ts'
import { parseSolanaAddress } from './solana/address.ts'

/**
 * An account's address in the form in which the server compares it, and the namespace that has such
 * addresses.
 */
export type AccountAddress = { readonly namespace: Namespace; readonly address: string }

const parsers: readonly (readonly [Namespace, (text: string) => string | undefined])[] = [
  ['eip155', parseAddress],
  ['solana', parseSolanaAddress],
  ['bip122', parseAnyBitcoinAddress],
  ['polkadot', parsePolkadotAddress],
]

/** Parses an account address; undefined if `text` is not an address. */
export function parseAccountAddress(text: string): AccountAddress | undefined {
  for (const [namespace, parse] of parsers) {
    const address = parse(text)
    if (address !== undefined) return { namespace, address }
  }
  return undefined
}

/**
 * Whether a chain can have the account. Each Bitcoin network has its own addresses. On Polkadot,
 * one account has an address for each network.
 */
export const isInNamespace = (chainId: ChainId, { namespace, address }: AccountAddress): boolean =>
  parseChainId(chainId).namespace === namespace &&
  (!isBitcoinChain(chainId) || getScript(chainId, address) !== undefined)

const expected: Partial<Record<Namespace, string>> = {
  solana: '32 bytes in base58 are expected',
  bip122: "a Bitcoin address of the chain's network is expected",
  polkadot: 'an SS58 address is expected',
}

/**
 * The failure for a request whose `address` is not valid on the chain, or on no chain if none is
 * given.
 */
export function invalidAccountAddress(chainId: ChainId | undefined): Failure {
  const format = chainId && expected[parseChainId(chainId).namespace]
  if (format === undefined) return invalidAddress('address')
  return { status: 400, field: 'address', description: `The address is not valid: ${format}` }
}
