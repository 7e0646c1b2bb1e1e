import { isError, type OnrampOrder, onrampOrder } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callApi } from '../server/callApi.ts'
import { isOrderOver } from './orderState.ts'
import { forgetOrder } from './savedOrders.ts'

/**
 * Where an order is; undefined if the server does not know it any more. This browser forgets those
 * that are over. Throws what `callApi` throws.
 */
export async function getOrder(
  app: App,
  { id, signal }: { id: string; signal?: AbortSignal | undefined },
): Promise<OnrampOrder | undefined> {
  try {
    const order = await callApi(app, { route: onrampOrder, params: { id }, signal })
    if (isOrderOver(order)) forgetOrder(app, { id })
    return order
  } catch (error) {
    if (!isError(error, 'HTTP_FAILED') || error.data.status !== 404) throw error
    forgetOrder(app, { id })
    return undefined
  }
}
