import { type ActivityMatcher, getKnownAddresses, getNameableSides } from '@latchkey/core/internal'
import type { HistorySync, HistoryTransaction } from '@latchkey/wire'
import { useDeferredValue, useMemo, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useNotes } from '../../app/history/useNotes.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useActivity } from '../../hooks/useActivity.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { ActivityMonths } from '../activity/ActivityMonths.tsx'
import { ActivityMore } from '../activity/ActivityMore.tsx'
import { ActivityToolsPlace } from '../activity/ActivityToolsPlace.tsx'
import { useNames } from '../activity/useNames.ts'
import { OpenOrders } from '../buy/OpenOrders.tsx'
import { usePurchases } from '../buy/usePurchases.ts'
import styles from './ActivityList.module.css'

/** How many accounts on the other side are looked up by name, the latest first. */
const maxNames = 12

/**
 * The account's transactions on the selected network by day, newest first; more load at the end.
 * `only` filters them and must keep its identity between renders. `limit` is the number of the
 * latest transactions to show. `none` and `noneYet` are the messages for an empty list, complete
 * and still loading. The user can search the list and export it, unless `only` or `limit` shorten
 * it. If `isCompact`, the search is behind a button.
 */
export function ActivityList({
  only,
  limit,
  none,
  noneYet,
  isCompact = false,
}: {
  only?: (transaction: HistoryTransaction) => boolean
  limit?: number
  none?: string
  noneYet?: string
  isCompact?: boolean
}) {
  const t = useT(enActivity)
  const { address } = useAccount()
  const { network } = useNetwork()
  const history = useActivity()
  const { sync, isLoading } = history
  const all = usePurchases(history)
  const transactions = useMemo(
    () => (only ? all?.filter(only) : all)?.slice(0, limit),
    [all, only, limit],
  )
  const app = useApp()
  const own = history.data
  const known = useMemo(() => getKnownAddresses(app, own ?? []), [app, own])
  const notes = useNotes()
  useNamesOf(transactions, known)
  const [matches, setMatches] = useState<ActivityMatcher>()
  const matching = useMatching(transactions, useDeferredValue(matches))
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  if (isLoading) {
    return (
      <div className={styles.activity}>
        <div className={styles.skeleton}>
          <SkeletonRows rows={limit ?? 4} label={t('shell.loading')} />
        </div>
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
  const isFull = transactions.length === limit
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
      {only === undefined && limit === undefined && transactions.length > 0 && (
        <ActivityToolsPlace
          isCompact={isCompact}
          loaded={transactions.length}
          found={matching?.length}
          hasMore={history.hasNextPage}
          onMatch={(next) => setMatches(() => next)}
        />
      )}
      <ActivityMonths transactions={matching ?? transactions} known={known} notes={notes} />
      {history.hasNextPage && !isFull && (
        <ActivityMore history={history} isPatient={only !== undefined || matching !== undefined} />
      )}
      {!history.hasNextPage && !isFull && !isLooking && sync?.since && (
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

/** Looks up the names of the accounts on the other side of the latest transactions. */
function useNamesOf(
  transactions: readonly HistoryTransaction[] | undefined,
  known: readonly string[],
) {
  const { address = '' } = useAccount()
  const { chainNamespace: namespace, caipNetworkId: chainId } = useNetwork().network
  const sides = useMemo(
    () => getNameableSides(transactions ?? [], { namespace, address, known, limit: maxNames }),
    [transactions, namespace, address, known],
  )
  useNames(sides, chainId)
}

/** The transactions that match a search; undefined without a search. */
function useMatching(
  transactions: readonly HistoryTransaction[] | undefined,
  matches: ActivityMatcher | undefined,
): readonly HistoryTransaction[] | undefined {
  const notes = useNotes()
  const profiles = useAppState((state) => (matches ? state.profiles : undefined))
  const contacts = useAppState((state) => state.contacts)
  return useMemo(
    () =>
      matches &&
      profiles &&
      transactions?.filter((one) => matches(one, { notes, profiles, contacts })),
    [transactions, matches, notes, profiles, contacts],
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

/** The account's activity in a tab of the account. */
export const AccountActivity = () => <ActivityList isCompact />

/** The account's activity in a separate view. */
export const Transactions = () => <ActivityList />
