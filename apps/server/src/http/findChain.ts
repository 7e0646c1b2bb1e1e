import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { toEvmChainId } from '../evm/chain.ts'
import { badRequest, type Failure, HttpFailure } from './failure.ts'

type FoundChain = { readonly chainId: ChainId; readonly testnet: boolean }

/** The configured chain that `text` names (CAIP-2; a bare number means `eip155`). */
export function findChain(
  { chains }: Pick<Config, 'chains'>,
  text: string | undefined,
): FoundChain | undefined {
  const id = toId(text)
  if (!Object.hasOwn(chains, id)) return undefined
  return { chainId: id as ChainId, testnet: chains[id as ChainId]?.testnet === true }
}

/** The chain that a request names. Throws {@link HttpFailure} if it is not configured. */
export function requireChain(config: Pick<Config, 'chains'>, text: string | undefined): FoundChain {
  const found = findChain(config, text)
  if (found === undefined) throw new HttpFailure(unknownChain(text))
  return found
}

/** The failure of a request for a chain that is not configured. */
export function unknownChain(text: string | undefined): Failure {
  const id = toId(text)
  return badRequest(
    'chainId',
    id === ''
      ? 'The chainId is missing. Use a CAIP-2 id, for example eip155:1'
      : `We don't support the chainId you provided: ${id.slice(0, 80)}. See /v1/supported-chains`,
  )
}

const toId = (text: string | undefined): string =>
  text !== undefined && /^\d+$/.test(text) ? toEvmChainId(text) : (text ?? '')
