import type { ChainId } from '@latchkey/wire'
import { invalidAccountAddress, isInNamespace, parseAccountAddress } from '../accountAddress.ts'
import { badRequest, type Failure } from '../http/failure.ts'
import { findChain } from '../http/findChain.ts'
import type { Services } from '../services.ts'
import { currencies } from '../tokens/currencies.ts'
import { tokenKey } from '../tokens/token.ts'

/** A parsed balance request. */
export type BalanceQuery = {
  readonly owner: string
  readonly chainIds: readonly ChainId[]
  readonly currency: string
  /**
   * CAIP-10 ids that bypass the cache and are shown even if empty: as requested, by
   * {@link forcedKey}.
   */
  readonly forced: ReadonlyMap<string, string>
  readonly oneChain: boolean
}

type Query = {
  readonly address: string
  readonly currency: string
  readonly chainId?: string | undefined
  readonly forceUpdate?: string | undefined
}

/** Parses a balance request, or returns its fault. */
export function parseBalanceQuery(
  { config }: Pick<Services, 'config'>,
  query: Query,
): BalanceQuery | Failure {
  const account = parseAccountAddress(query.address)
  if (account === undefined) return invalidAccountAddress(undefined)
  const currency = query.currency.toLowerCase()
  if (!currencies.has(currency))
    return badRequest('currency', `The currency is not one of ${[...currencies].join(', ')}`)
  const chain = query.chainId === undefined ? undefined : findChain(config, query.chainId)
  if (chain && 'failure' in chain) return chain.failure
  if (chain && !isInNamespace(chain.chainId, account)) return invalidAccountAddress(chain.chainId)
  const forced = parseForceUpdate(config, query.forceUpdate)
  if ('status' in forced) return forced
  const chainIds = Object.keys(config.chains) as ChainId[]
  const all = chainIds.filter((id) => isInNamespace(id, account))
  if (chainIds.length > 0 && all.length === 0)
    return badRequest('address', 'No network with such addresses is configured')
  return {
    owner: account.address,
    chainIds: chain ? [chain.chainId] : all,
    currency,
    forced: forced.tokens,
    oneChain: chain !== undefined,
  }
}

/** A CAIP-10 id of a token, with its address in normalized form. */
export function forcedKey(token: string): string {
  const start = token.lastIndexOf(':') + 1
  return `${token.slice(0, start)}${tokenKey(token.slice(start))}`
}

function parseForceUpdate(
  config: Services['config'],
  list: string | undefined,
): { tokens: ReadonlyMap<string, string> } | Failure {
  const requested = (list ?? '').split(',').filter(Boolean)
  const tokens = new Map(requested.map((token) => [forcedKey(token), token]))
  if (tokens.size > 100) return badRequest('forceUpdate', 'At most 100 tokens can be forced')
  for (const token of requested) {
    const [, id = ''] = /^([a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}):.{1,128}$/.exec(token) ?? []
    const chain = id === '' ? undefined : findChain(config, id)
    if (chain && 'failure' in chain) return chain.failure
    const tokenAccount = parseAccountAddress(token.slice(id.length + 1))
    if (tokenAccount === undefined || !id.startsWith(`${tokenAccount.namespace}:`))
      return badRequest('forceUpdate', 'A comma-separated list of CAIP-10 token ids is expected')
  }
  return { tokens }
}
