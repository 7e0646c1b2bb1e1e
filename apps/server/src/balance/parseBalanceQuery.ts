import type { ChainId } from '@latchkey/wire'
import { invalidAddress, parseAddress } from '../evm/address.ts'
import { isEvmChain } from '../evm/chain.ts'
import type { Hex } from '../evm/hex.ts'
import { badRequest, type Failure } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import type { Services } from '../services.ts'
import { currencies } from '../tokens/currencies.ts'

/** A parsed balance request. */
export type BalanceQuery = {
  readonly owner: Hex
  readonly chainIds: readonly ChainId[]
  readonly currency: string
  /** CAIP-10 ids that bypass the cache and are shown even if empty: as requested, by their lower-case form. */
  readonly forced: ReadonlyMap<string, string>
  readonly oneChain: boolean
}

type Query = {
  readonly address: string
  readonly currency: string
  readonly chainId?: string | undefined
  readonly forceUpdate?: string | undefined
}

/** Parses a balance request, or returns what is wrong with it. */
export function parseBalanceQuery(
  { config }: Pick<Services, 'config'>,
  query: Query,
): BalanceQuery | Failure {
  const owner = parseAddress(query.address)
  if (owner === undefined) return invalidAddress('address')
  const currency = query.currency.toLowerCase()
  if (!currencies.has(currency))
    return badRequest('currency', `The currency is not one of ${[...currencies].join(', ')}`)
  const chain = query.chainId === undefined ? undefined : findChain(config, query.chainId)
  if (chain && 'failure' in chain) return chain.failure
  if (chain && !isEvmChain(chain.chainId))
    return badRequest('chainId', 'Balances are known for eip155 chains only')
  const forced = parseForceUpdate(config, query.forceUpdate)
  if ('status' in forced) return forced
  const all = Object.keys(config.chains).filter((id) => isEvmChain(id)) as ChainId[]
  return {
    owner,
    chainIds: chain ? [chain.chainId] : all,
    currency,
    forced: forced.tokens,
    oneChain: chain !== undefined,
  }
}

function parseForceUpdate(
  config: Services['config'],
  list: string | undefined,
): { tokens: ReadonlyMap<string, string> } | Failure {
  const requested = (list ?? '').split(',').filter(Boolean)
  const tokens = new Map(requested.map((token) => [token.toLowerCase(), token]))
  if (tokens.size > 100) return badRequest('forceUpdate', 'At most 100 tokens can be forced')
  for (const token of requested) {
    const [, id = ''] = /^([a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}):.{1,128}$/.exec(token) ?? []
    const chain = id === '' ? undefined : findChain(config, id)
    if (chain && 'failure' in chain) return chain.failure
    if (!isEvmChain(token) || parseAddress(token.slice(id.length + 1)) === undefined)
      return badRequest('forceUpdate', 'A comma-separated list of CAIP-10 token ids is expected')
  }
  return { tokens }
}
