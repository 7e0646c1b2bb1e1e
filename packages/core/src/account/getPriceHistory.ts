import {
  type ChainId,
  fungibleHistoryRoute,
  type PricePeriod,
  type PricePoint,
  type PriceYear,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { dedupeRead } from '../server/dedupeRead.ts'

/**
 * The price history of a token in dollars during a period until now, or with one price for each day
 * of a calendar year. The earliest comes first, and the list is empty if no source has it. Without
 * a token (CAIP-10), returns the history of the network's native currency. Throws the errors of
 * `callRoute`.
 */
export async function getPriceHistory(
  app: App,
  parameters: {
    chainId: ChainId
    token?: string | undefined
    period: PricePeriod | PriceYear
    signal?: AbortSignal | undefined
  },
): Promise<readonly PricePoint[]> {
  const { chainId, period, signal } = parameters
  const address = parameters.token ?? `${chainId}:native`
  const work = () => callRoute(app, { route: fungibleHistoryRoute, query: { address, period } })
  const key = `prices ${address} ${period}`
  const { points } = await dedupeRead(app, { key, work, signal })
  return points
}
