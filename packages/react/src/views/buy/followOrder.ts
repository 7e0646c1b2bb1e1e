import { type App, findSavedOrder, isOrderOver, showToast } from '@latchkey/core/internal'
import type { OnrampOrder } from '@latchkey/wire'
import { QueryObserver } from '@tanstack/react-query'
import { refreshHistory } from '../../app/history/historyQueries.ts'
import { refreshBalances } from '../../app/queries/accountQueries.ts'
import { orderQuery, refreshPurchases } from '../../app/queries/buyQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import type { T } from '../../locales/createT.ts'
import type { enBuy } from '../../locales/enBuy.ts'
import { formatBought } from './formatMoney.ts'

const followed = new WeakMap<App, Set<string>>()

/**
 * Follows an order until it has ended, also if its view or the modal is closed. Refetches balances
 * and activity when it has arrived, and shows a toast unless its view is open.
 */
export function followOrder(app: App, { id, t }: { id: string; t: T<typeof enBuy> }): void {
  const ids = followed.get(app) ?? new Set()
  followed.set(app, ids)
  if (ids.has(id) || app.signal.aborted) return
  ids.add(id)
  // The order is forgotten when it has ended.
  const saved = findSavedOrder(app, { id })
  const stop = new QueryObserver(getQueryClient(app), orderQuery(app, { id })).subscribe(
    ({ data: order }) => {
      if (order === undefined || (order && !isOrderOver(order))) return
      stop()
      app.signal.removeEventListener('abort', stop)
      if (!order) return
      // The next refresh reads what could not be read now.
      refreshPurchases(app).catch(() => {})
      if (saved && order.status === 'arrived') {
        refreshBalances(app, saved).catch(() => {})
        refreshHistory(app, saved).catch(() => {})
      }
      if (!isShown(app, id)) tell(app, { order, t })
    },
  )
  app.signal.addEventListener('abort', stop)
}

function isShown(app: App, id: string): boolean {
  const { open, history } = app.store.getState().modal
  const view = history.at(-1)
  return open && view?.name === 'BuyInProgress' && view.orderId === id
}

function tell(app: App, { order, t }: { order: OnrampOrder; t: T<typeof enBuy> }) {
  const { status, symbol, providerName: provider, receivedAmount } = order
  if (status === 'arrived') {
    const message = t('order.arrived', { amount: formatBought(receivedAmount ?? '0'), symbol })
    showToast(app, { message, variant: 'success' })
  }
  if (status === 'failed')
    showToast(app, { message: t('order.failed', { provider }), variant: 'error' })
}
