import { takeDueOrders } from './dueOrders.ts'
import { type OrderSources, refreshOrder } from './refreshOrder.ts'

/** How many orders one sweep requests from providers. */
const maxAsked = 20

/** The ids of the providers that do not report on their own and must be polled. */
export const listAsked = (providers: OrderSources['providers']): string[] =>
  [...providers.values()].flatMap(({ id, readReport }) => (readReport === undefined ? [] : [id]))

/**
 * Polls the providers that do not report on their own for orders that may still be paid, so that
 * the state of an order is known even if its visitor never came back. If one order fails, the
 * others continue; it is due again soon.
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
