import {
  explorerUrl,
  findSavedOrder,
  forceCloseModal,
  isOrderOver,
  pushView,
  resetViews,
} from '@latchkey/core/internal'
import type { OnrampOrder } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { orderQuery } from '../../app/queries/buyQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useCopy } from '../../app/useCopy.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { PendingState } from '../../parts/PendingState.tsx'
import { FactRow, LinkRow, Row } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { followOrder } from './followOrder.ts'
import { formatBought, formatMoney } from './formatMoney.ts'

/** Follows an order until the purchase has arrived, or shows its error. */
export function BuyInProgress({ view }: ViewProps<'BuyInProgress'>) {
  const app = useApp()
  const t = useT(enBuy)
  const { orderId: id } = view
  const { data: order, isError, refetch } = useQuery(orderQuery(app, { id }), getQueryClient(app))
  // The order is forgotten when it has ended.
  const [saved] = useState(() => findSavedOrder(app, { id }))
  useEffect(() => followOrder(app, { id, t }), [app, id, t])
  if (order) return <Progress order={order} url={saved?.url} isBlocked={view.isBlocked === true} />
  if (order === null)
    return (
      <EmptyState icon="clock" title={t('order.unknown')}>
        {t('order.unknownHint')}
      </EmptyState>
    )
  if (!isError) return <SkeletonRows rows={3} label={t('shell.loading')} />
  return (
    <EmptyState
      icon="alert"
      role="alert"
      title={t('order.lookFailed')}
      action={<Button onClick={() => refetch()}>{t('action.tryAgain')}</Button>}
    >
      {t('order.lookFailedHint')}
    </EmptyState>
  )
}

function Progress({
  order,
  url,
  isBlocked,
}: {
  order: OnrampOrder
  url: string | undefined
  isBlocked: boolean
}) {
  const app = useApp()
  const t = useT(enBuy)
  const { status, reason, transactionHash: hash, symbol } = order
  const isToPay = status === 'created' || status === 'declined'
  const { copied, copy } = useCopy()
  const names = {
    provider: order.providerName,
    symbol,
    amount: formatBought(order.receivedAmount ?? '0'),
  }
  const key = status === 'created' && isBlocked ? 'blocked' : status
  const title = status === 'declined' && reason ? reason : key
  const network = useAppState(({ networks }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === order.chainId),
  )
  const explorer = hash && network && explorerUrl(network, { hash })
  return (
    <div className={styles.column}>
      <PendingState
        picture={<Icon name={icons[status]} size={28} />}
        status={looks[status]}
        title={t(`order.${title}`, names)}
        hint={t(`order.${key}Hint`, names)}
      />
      <What order={order} network={network?.name ?? order.chainId} />
      {isToPay && url && (
        <LinkRow
          href={url}
          label={t(key === 'blocked' ? 'order.open' : 'order.openAgain')}
          end={<Icon name="external" size={16} />}
        />
      )}
      {status === 'failed' && url && (
        <LinkRow
          href={url}
          label={t('order.seller', names)}
          end={<Icon name="external" size={16} />}
        />
      )}
      {status === 'failed' && (
        <Row
          label={t('order.number')}
          detail={<bdi translate="no">{order.id}</bdi>}
          end={<Icon name={copied ? 'check' : 'copy'} size={16} />}
          onClick={() => copy(order.id)}
        />
      )}
      {explorer && (
        <LinkRow href={explorer} label={t('order.view')} end={<Icon name="external" size={16} />} />
      )}
      <div className={styles.act}>
        {status === 'expired' ? (
          <Button
            onClick={() => {
              resetViews(app, { name: 'Account' })
              pushView(app, { name: 'Buy' })
            }}
          >
            {t('order.again')}
          </Button>
        ) : (
          <Button variant="quiet" onClick={() => forceCloseModal(app)}>
            {t(isOrderOver(order) ? 'action.done' : 'shell.close')}
          </Button>
        )}
      </div>
    </div>
  )
}

function What({ order, network }: { order: OnrampOrder; network: string }) {
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const { paymentAmount: amount, paymentCurrency: currency, symbol, providerName } = order
  return (
    <FactRow
      label={
        amount === null
          ? t('order.buying', { symbol })
          : t('order.paying', { amount: formatMoney({ amount, currency }, locale), symbol })
      }
      detail={t('order.where', { provider: providerName, network })}
    />
  )
}

type Status = OnrampOrder['status']

/** A declined order waits too: the checkout does not report that the buyer tries another card. */
const looks: Record<Status, 'waiting' | 'failed' | 'done'> = {
  created: 'waiting',
  declined: 'waiting',
  expired: 'failed',
  paid: 'waiting',
  sent: 'waiting',
  failed: 'failed',
  arrived: 'done',
}

const icons: Record<Status, IconName> = {
  created: 'coins',
  declined: 'alert',
  expired: 'clock',
  paid: 'coins',
  sent: 'receive',
  failed: 'alert',
  arrived: 'check',
}
