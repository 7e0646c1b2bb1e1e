import { getSavedOrders } from '@latchkey/core/internal'
import { useEffect } from 'react'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { followOrder } from './followOrder.ts'

/**
 * Follows the account's purchases from this browser until they have ended, which a toast reports.
 * Draws nothing.
 */
export function FollowOrders() {
  const app = useApp()
  const t = useT(enBuy)
  const { address, chainId } = useAccountScope()
  useEffect(() => {
    if (address === undefined) return
    // Also an order that ended while the page was closed: the user has not been notified yet.
    for (const { id } of getSavedOrders(app, { address, chainId })) followOrder(app, { id, t })
  }, [app, address, chainId, t])
  return null
}
