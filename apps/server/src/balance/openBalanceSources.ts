import { forgivingKv } from '../kv/forgivingKv.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { openPrices } from '../prices/openPrices.ts'
import type { Services } from '../services.ts'
import { orderListed } from '../tokens/listedTokens.ts'
import { openTokenLists } from '../tokens/openTokenLists.ts'
import { rememberTokenFacts } from '../tokens/tokenFacts.ts'
import { createIconOf, type IconOf } from '../tokens/tokenIcons.ts'
import type { Discovery, Sources } from './readHoldings.ts'

type Needs = Pick<Services, 'kv' | 'log' | 'config' | 'clock'>
type Ways = {
  readonly upstreams: Upstreams
  readonly outbound: Outbound
  readonly activity?: Discovery | undefined
}

/** What balances and prices are read from: token lists, pools, the outside source and, where it is on, the activity. */
export function openSources(
  { kv, log, config, clock }: Needs,
  { upstreams, outbound, activity }: Ways,
): Sources & Needs & { readonly iconOf: IconOf } {
  const needs = { kv: forgivingKv(kv, log), log, config, clock, upstreams }
  const tokensOf = openTokenLists({ ...needs, outbound })
  return {
    ...needs,
    activity,
    tokensOf,
    listedOf: orderListed(needs, tokensOf),
    factsOf: rememberTokenFacts(needs),
    readPrices: openPrices(needs),
    iconOf: createIconOf(needs),
  }
}
