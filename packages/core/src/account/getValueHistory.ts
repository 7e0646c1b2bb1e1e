import { accountValueRoute, type ChainId, type PricePeriod, type PricePoint } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { dedupeRead } from '../server/dedupeRead.ts'

/**
 * The value history of an account in dollars, earliest first; null on a network whose activity the
 * server does not follow. Before `since` (ISO 8601), the account's transactions are unknown.
 */
export type ValueHistory = {
  readonly points: readonly PricePoint[] | null
  readonly since: string | null
}

/**
 * The value history of an account on a network during a period until now. Throws the errors of
 * `callRoute`.
 */
export function getValueHistory(
  app: App,
  parameters: {
    address: string
    chainId: ChainId
    period: PricePeriod
    signal?: AbortSignal | undefined
  },
): Promise<ValueHistory> {
  const { address, chainId, period, signal } = parameters
  const work = () =>
    callRoute(app, { route: accountValueRoute, params: { address }, query: { chainId, period } })
  return dedupeRead(app, { key: `value ${chainId}:${address} ${period}`, work, signal })
}
