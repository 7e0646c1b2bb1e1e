import { getKnownAddresses, groupByMonth, type Month, relativeTime } from '@latchkey/core/internal'
import type { HistorySync, HistoryTransaction } from '@latchkey/wire'
import { useEffect, useId, useMemo, useRef } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { useNow } from '../../app/useNow.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useActivity } from '../../hooks/useActivity.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { OpenOrders } from '../buy/OpenOrders.tsx'
import { usePurchases } from '../buy/usePurchases.ts'
import styles from './ActivityList.module.css'
import { ActivityRow } from './ActivityRow.tsx'

/**
 * The account's transactions on the selected network by month, newest first; more load at the end.
 * `only` filters them and must keep its identity between renders. `none` and `noneYet` are the
 * messages for an empty list, complete and still loading.
 */
export function ActivityList({
  only,
  none,
  noneYet,
}: {
  only?: (transaction: HistoryTransaction) => boolean
  none?: string
  noneYet?: string
}) {
  const t = useT(enActivity)
  const { address } = useAccount()
  const { network } = useNetwork()
  const history = useActivity()
  const { sync, isLoading } = history
  const all = usePurchases(history)
  const transactions = useMemo(() => (only ? all?.filter(only) : all), [all, only])
  const app = useApp()
  const own = history.data
  const known = useMemo(() => getKnownAddresses(app, own ?? []), [app, own])
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  if (isLoading) {
    return (
      <div className={styles.skeleton}>
        <SkeletonRows rows={4} label={t('shell.loading')} />
      </div>
    )
  }
  if (transactions === undefined) {
    return (
      <EmptyState
        icon="alert"
        role="alert"
        title={t('activity.unavailable')}
        action={
          <Button
            variant="quiet"
            icon="retry"
            busy={history.isFetching}
            onClick={() => history.refetch()}
          >
            {t('action.tryAgain')}
          </Button>
        }
      >
        {t('activity.unavailableHint', { network: network.name })}
      </EmptyState>
    )
  }
  const unread = sync?.unread
  // Unread blocks are retried much later, so the list does not wait for them.
  const isLooking = sync?.complete === false && !(unread && sync.progress === 1)
  return (
    <div className={styles.activity}>
      {isLooking && <Progress sync={sync} />}
      {!isLooking && unread && <Covered text="activity.unread" at={unread.latest} />}
      {only === undefined && <Pending />}
      {only === undefined && <OpenOrders />}
      {transactions.length === 0 && !history.hasNextPage && !isLooking && none === undefined && (
        <EmptyState icon="clock" title={t('activity.empty')}>
          {t('activity.emptyHint', { network: network.name })}
        </EmptyState>
      )}
      {transactions.length === 0 && none !== undefined && (
        <p className={styles.since}>{history.hasNextPage || isLooking ? noneYet : none}</p>
      )}
      <Months transactions={transactions} known={known} />
      {history.hasNextPage && <More history={history} isPatient={only !== undefined} />}
      {!history.hasNextPage && !isLooking && sync?.since && (
        <Covered text="activity.since" at={sync.since} />
      )}
    </div>
  )
}

/** Shows the indexed part of the account's history, if it is incomplete. */
function Covered({ text, at }: { text: 'activity.since' | 'activity.unread'; at: string }) {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const atMs = Date.parse(at)
  if (Number.isNaN(atMs)) return null
  const date = new Date(atMs).toLocaleDateString(locale, { dateStyle: 'medium' })
  return <p className={styles.since}>{t(text, { date })}</p>
}

type History = ReturnType<typeof useActivity>

type KnownAddresses = { known: readonly string[] }

function Months({
  transactions,
  known,
}: { transactions: readonly HistoryTransaction[] } & KnownAddresses) {
  const { locale } = useLatchkey()
  const nowMs = useNow()
  // Titles change with the year, not with every second.
  const year = nowMs === undefined ? undefined : new Date(nowMs).getFullYear()
  const months = useMemo(
    () =>
      year === undefined
        ? []
        : groupByMonth(transactions, { nowMs: new Date(year, 6).getTime(), locale }),
    [transactions, year, locale],
  )
  return months.map((month) => (
    <MonthRows key={month.key} month={month} nowMs={nowMs ?? 0} known={known} />
  ))
}

function MonthRows({ month, nowMs, known }: { month: Month; nowMs: number } & KnownAddresses) {
  const t = useT(enActivity)
  const id = useId()
  const formatAge = ({ metadata }: HistoryTransaction) => {
    const atMs = Date.parse(metadata.minedAt)
    // The start of a pending transaction is unknown: its time is only that at which the server
    // responded.
    if (Number.isNaN(atMs) || metadata.status === 'pending') return undefined
    const { count, unit } = relativeTime({ atMs, nowMs })
    return t(`time.${unit}`, { count })
  }
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.month}>
        {month.title}
      </h3>
      <ul className={styles.list}>
        {month.transactions.map((transaction) => (
          <li key={transaction.id} className={styles.item}>
            <ActivityRow transaction={transaction} age={formatAge(transaction)} known={known} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const loadPending = () =>
  import('./PendingTransactions.tsx').then(({ PendingTransactions }) => PendingTransactions)

/** Loads the list of pending transactions, which few accounts have. */
function Pending() {
  const { value: PendingTransactions } = useLazyImport(loadPending, true)
  return PendingTransactions && <PendingTransactions />
}

function Progress({ sync }: { sync: HistorySync }) {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const part = Math.min(1, Math.max(0, sync.progress))
  // An incomplete list never claims to be complete.
  const percent = (Math.floor(Math.min(part, 0.99) * 100) / 100).toLocaleString(locale, {
    style: 'percent',
  })
  return (
    <div className={styles.progress}>
      <p role="status">{t('activity.syncing', { percent })}</p>
      <progress aria-label={t('activity.syncing', { percent })} value={part} max={1} />
      <p className={styles.hint}>{t('activity.syncingHint')}</p>
    </div>
  )
}

/**
 * Loads the next page when it scrolls into view; also a button, for users who do not scroll. If
 * patient, it waits for the button: in a short list it would stay in view, and load everything.
 */
function More({ history, isPatient }: { history: History; isPatient: boolean }) {
  const t = useT(enActivity)
  const place = useRef<HTMLDivElement>(null)
  const { isFetchingNextPage, isFetchNextPageError, fetchNextPage } = history
  const mayLoad = !isPatient && !history.isFetching && !isFetchNextPageError
  useEffect(() => {
    const element = place.current
    if (!element || !mayLoad) return
    const observer = new IntersectionObserver((entries) => {
      // A busy page announces several at once, the newest last.
      if (entries.at(-1)?.isIntersecting) void fetchNextPage()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [mayLoad, fetchNextPage])
  return (
    <div ref={place} className={styles.more}>
      {isFetchingNextPage && <SkeletonRows rows={2} label={t('activity.loadingMore')} />}
      {isFetchNextPageError && (
        <p className={styles.failed} role="alert">
          {t('activity.moreFailed')}
        </p>
      )}
      <Button variant="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchNextPageError ? t('action.tryAgain') : t('activity.loadMore')}
      </Button>
    </div>
  )
}

/** The account's activity in a separate view. */
export const Transactions = () => <ActivityList />
