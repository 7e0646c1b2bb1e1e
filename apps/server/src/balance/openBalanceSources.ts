import { failOpenKv } from '../kv/failOpenKv.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { openDayPrices } from '../prices/change/openDayPrices.ts'
import { openPrices, type ReadPrices } from '../prices/openPrices.ts'
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

type OpenSources = BalanceSources &
  BalanceSourcesDeps & {
    readonly getTokenIcon: GetTokenIcon
    /** The prices of a day ago. */
    readonly readDayPrices: ReadPrices
  }

/**
 * Opens the sources of balances and prices: token lists, pools, the outside source and, if enabled,
 * the activity. Earlier prices that the server recorded need a database.
 */
export function openBalanceSources(
  { kv, log, config, clock, db }: BalanceSourcesDeps & Partial<Pick<Services, 'db'>>,
  { upstreams, outbound, activity }: Connections,
): OpenSources {
  const deps = { kv: failOpenKv(kv, log), log, config, clock, upstreams }
  const getTokens = openTokenLists({ ...deps, outbound })
  return {
    ...deps,
    activity: activity && rememberTokens(activity),
    getTokens,
    getListed: indexListedTokens(deps, getTokens),
    getFacts: createTokenFacts(deps),
    readPrices: openPrices(deps),
    readDayPrices: openDayPrices({ ...deps, db }),
    getTokenIcon: createTokenIcons(deps),
  }
}
