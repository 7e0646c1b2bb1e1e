import type { Outbound } from '../outbound/createOutbound.ts'
import { openPrices } from '../prices/openPrices.ts'
import type { Upstreams } from '../rpc/upstreams.ts'
import type { Services } from '../services.ts'
import { createIconOf, type IconOf } from '../tokens/iconOf.ts'
import { openTokenLists } from '../tokens/openTokenLists.ts'
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
  const needs = { kv, log, config, clock, upstreams }
  return {
    ...needs,
    activity,
    tokensOf: openTokenLists({ ...needs, outbound }),
    readPrices: openPrices(needs),
    iconOf: createIconOf(needs),
  }
}
