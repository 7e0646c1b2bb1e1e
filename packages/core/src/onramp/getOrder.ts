import { isError, type OnrampOrder, onrampOrderRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { isOrderOver } from './orderState.ts'
import { forgetOrder, keepFailedOrder } from './savedOrders.ts'

/**
 * The status of an order; undefined if the server no longer has it. This browser forgets completed
 * orders, and keeps what a refund of a failed one needs. Throws the errors of `callRoute`.
 */
export async function getOrder(
  app: App,
  { id, signal }: { id: string; signal?: AbortSignal | undefined },
): Promise<OnrampOrder | undefined> {
  try {
    const order = await callRoute(app, { route: onrampOrderRoute, params: { id }, signal })
    if (order.status === 'failed') keepFailedOrder(app, order)
    else if (isOrderOver(order)) forgetOrder(app, { id })
    return order
  } catch (error) {
    if (!isError(error, 'HTTP_FAILED') || error.data.status !== 404) throw error
    forgetOrder(app, { id })
    return undefined
  }
}
