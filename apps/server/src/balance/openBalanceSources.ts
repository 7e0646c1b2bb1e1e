import { failOpenKv } from '../kv/failOpenKv.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { openPrices } from '../prices/openPrices.ts'
import type { Services } from '../services.ts'
import { indexListedTokens } from '../tokens/listedTokens.ts'
import { openTokenLists } from '../tokens/openTokenLists.ts'
import { createTokenFacts } from '../tokens/tokenFacts.ts'
import { createTokenIcons, type GetTokenIcon } from '../tokens/tokenIcons.ts'
import type { BalanceSources, Discovery } from './holding.ts'
import { rememberTokens } from './rememberTokens.ts'

type BalanceSourcesDeps = Pick<Services, 'kv' | 'log' | 'config' | 'clock'>
type Connections = {
  readonly upstreams: Upstreams
  readonly outbound: Outbound
  readonly activity?: Discovery | undefined
}

/**
 * Opens the sources of balances and prices: token lists, pools, the outside source and, if enabled,
 * the activity.
 */
export function openBalanceSources(
  { kv, log, config, clock }: BalanceSourcesDeps,
  { upstreams, outbound, activity }: Connections,
): BalanceSources & BalanceSourcesDeps & { readonly getTokenIcon: GetTokenIcon } {
  const deps = { kv: failOpenKv(kv, log), log, config, clock, upstreams }
  const getTokens = openTokenLists({ ...deps, outbound })
  return {
    ...deps,
    activity: activity && rememberTokens(activity),
    getTokens,
    getListed: indexListedTokens(deps, getTokens),
    getFacts: createTokenFacts(deps),
    readPrices: openPrices(deps),
    getTokenIcon: createTokenIcons(deps),
  }
}
