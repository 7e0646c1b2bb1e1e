import type { ChainId } from '@latchkey/wire'
import { invalidAccountAddress, isInNamespace, parseAccountAddress } from '../accountAddress.ts'
import { badRequest, HttpFailure } from '../http/failure.ts'
import { requireChain } from '../http/findChain.ts'
import type { Services } from '../services.ts'
import { requireCurrency } from '../tokens/currencies.ts'
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

/** Parses a balance request. Throws {@link HttpFailure}. */
export function parseBalanceQuery(
  { config }: Pick<Services, 'config'>,
  query: Query,
): BalanceQuery {
  const account = parseAccountAddress(query.address)
  if (account === undefined) throw new HttpFailure(invalidAccountAddress(undefined))
  const currency = requireCurrency(query.currency)
  const chain = query.chainId === undefined ? undefined : requireChain(config, query.chainId)
  if (chain && !isInNamespace(chain.chainId, account))
    throw new HttpFailure(invalidAccountAddress(chain.chainId))
  const forced = parseForceUpdate(config, query.forceUpdate)
  const chainIds = Object.keys(config.chains) as ChainId[]
  const all = chainIds.filter((id) => isInNamespace(id, account))
  if (chainIds.length > 0 && all.length === 0)
    throw new HttpFailure(badRequest('address', 'No network with such addresses is configured'))
  return {
    owner: account.address,
    chainIds: chain ? [chain.chainId] : all,
    currency,
    forced,
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
): ReadonlyMap<string, string> {
  const requested = (list ?? '').split(',').filter(Boolean)
  const tokens = new Map(requested.map((token) => [forcedKey(token), token]))
  if (tokens.size > 100)
    throw new HttpFailure(badRequest('forceUpdate', 'At most 100 tokens can be forced'))
  for (const token of requested) {
    const [, id = ''] = /^([a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}):.{1,128}$/.exec(token) ?? []
    if (id !== '') requireChain(config, id)
    const tokenAccount = parseAccountAddress(token.slice(id.length + 1))
    if (tokenAccount === undefined || !id.startsWith(`${tokenAccount.namespace}:`))
      throw new HttpFailure(badForceUpdate)
  }
  return tokens
}

const badForceUpdate = badRequest(
  'forceUpdate',
  'A comma-separated list of CAIP-10 token ids is expected',
)
