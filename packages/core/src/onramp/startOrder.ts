import { LatchkeyError, onrampUrlRoute } from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import type { CheckoutWindow } from './checkoutWindow.ts'
import type { Purchase } from './getBuyQuote.ts'
import { isCheckoutUrl, type SavedOrder, saveOrder } from './savedOrders.ts'

/**
 * Orders a purchase for an account, navigates the window that the click has opened to the checkout,
 * and saves the order in this browser. Closes the window if there is no checkout. Throws
 * ANSWER_INVALID if the server names no checkout that may be opened, and the errors of `callRoute`.
 */
export async function startOrder(
  app: App,
  parameters: {
    purchase: Purchase
    address: string
    opened: CheckoutWindow | undefined
  },
): Promise<SavedOrder> {
  const { purchase, address, opened } = parameters
  try {
    const order = await placeOrder(app, { purchase, address })
    saveOrder(app, order)
    if (opened && !opened.closed) {
      // A third party's page must not be able to navigate ours elsewhere.
      opened.opener = null
      opened.location.href = order.url
    }
    return order
  } catch (error) {
    opened?.close()
    throw error
  }
}

async function placeOrder(
  app: App,
  { purchase, address }: { purchase: Purchase; address: string },
): Promise<SavedOrder> {
  const { chainId, token, currency, method, providerId, amount } = purchase
  const { url, orderId: id } = await callRoute(app, {
    route: onrampUrlRoute,
    body: {
      destinationWallets: [{ address, blockchains: [chainId], assets: [token.asset] }],
      defaultNetwork: chainId,
      presetFiatAmount: Number(amount),
      paymentCurrency: currency,
      paymentMethod: method,
      provider: providerId,
    },
  })
  if (id === undefined || !isCheckoutUrl(url)) throw new LatchkeyError('ANSWER_INVALID')
  return { id, url, chainId, address, createdAtMs: app.environment.now() }
}
