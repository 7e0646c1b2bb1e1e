import { takeDueOrders } from './dueOrders.ts'
import { type OrderSources, refreshOrder } from './refreshOrder.ts'

/** Orders that are asked for in one sweep. */
const maxAsked = 20

/** The ids of the providers that report nothing by themselves, and so are asked. */
export const listAsked = (providers: OrderSources['providers']): string[] =>
  [...providers.values()].flatMap(({ id, readReport }) => (readReport === undefined ? [] : [id]))

/**
 * Asks the providers that report nothing by themselves for orders that may still be paid, so that
 * an order is known whose visitor never came back to follow it. One order that fails stops no
 * other; it is due again soon.
 */
export async function askProviders(sources: OrderSources): Promise<void> {
  const providers = listAsked(sources.providers)
  if (providers.length === 0) return
  const orders = await takeDueOrders(sources, { providers, max: maxAsked })
  const outcomes = await Promise.allSettled(orders.map((order) => refreshOrder(sources, order)))
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      sources.log.error({ err: outcome.reason }, 'an order could not be looked up')
}
