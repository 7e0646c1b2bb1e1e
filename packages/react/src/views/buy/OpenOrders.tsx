import { getSavedOrders, showView } from '@latchkey/core/internal'
import type { OnrampOrder } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { openOrdersQuery } from '../../app/queries/buyQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Row, RowIcon } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import { followOrder } from './followOrder.ts'
import { formatMoney } from './formatMoney.ts'

const none: readonly OnrampOrder[] = []

/** The unfinished purchases of this browser, each with a way back to it. Also after a reload. */
export function OpenOrders() {
  const app = useApp()
  const t = useT(enBuy)
  const { address, chainId } = useAccountScope()
  const { data: orders = none, isPending } = useQuery(
    openOrdersQuery(app, { address, chainId }),
    getQueryClient(app),
  )
  useEffect(() => {
    for (const { id } of orders) followOrder(app, { id, t })
  }, [app, orders, t])
  if (isPending) {
    const { length } = getSavedOrders(app, { address: address ?? '', chainId })
    return length > 0 && <SkeletonRows rows={length} label={t('shell.loading')} />
  }
  if (orders.length === 0) return null
  return (
    <div className={styles.column}>
      {orders.map((order) => (
        <OpenOrder key={order.id} order={order} />
      ))}
    </div>
  )
}

function OpenOrder({ order }: { order: OnrampOrder }) {
  const app = useApp()
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const { paymentAmount: amount, paymentCurrency: currency, symbol, status } = order
  return (
    <Row
      start={<RowIcon name="clock" />}
      label={
        amount === null
          ? t('order.buying', { symbol })
          : t('order.paying', { amount: formatMoney({ amount, currency }, locale), symbol })
      }
      detail={t(`order.${status}`, { provider: order.providerName, symbol, amount: '' })}
      end={<Icon name="forward" size={16} />}
      // A page can list them too.
      onClick={() => showView(app, { name: 'BuyInProgress', orderId: order.id })}
    />
  )
}
