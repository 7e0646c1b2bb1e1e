import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { toEvmChainId } from '../evm/chain.ts'
import type { Failure } from './failure.ts'

type FoundChain = { readonly chainId: ChainId; readonly testnet: boolean }

/**
 * Finds the configured chain that `text` names (CAIP-2; a bare number means `eip155`), or returns a
 * failure.
 */
export function findChain(
  { chains }: Pick<Config, 'chains'>,
  text: string | undefined,
): FoundChain | { failure: Failure } {
  const id = text !== undefined && /^\d+$/.test(text) ? toEvmChainId(text) : (text ?? '')
  if (Object.hasOwn(chains, id))
    return { chainId: id as ChainId, testnet: chains[id as ChainId]?.testnet === true }
  const description =
    id === ''
      ? 'The chainId is missing. Use a CAIP-2 id, for example eip155:1'
      : `We don't support the chainId you provided: ${id.slice(0, 80)}. See /v1/supported-chains`
  return { failure: { status: 400, field: 'chainId', description } }
}
