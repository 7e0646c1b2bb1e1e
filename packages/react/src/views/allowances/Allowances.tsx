import type { Allowance } from '@latchkey/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  allowanceKey,
  allowancesQuery,
  refreshAllowances,
} from '../../app/queries/allowanceQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useNow } from '../../app/useNow.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { enAllowances } from '../../locales/enAllowances.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { useActivityNews } from '../account/useActivityNews.ts'
import { AllowanceRow } from './AllowanceRow.tsx'
import styles from './Allowances.module.css'
import { Revoke } from './Revoke.tsx'

/** The account's allowances on the selected network, and their revocation. */
export function Allowances() {
  const app = useApp()
  const t = useT(enAllowances)
  const { address, chainId, network } = useAccountScope()
  const query = useInfiniteQuery(allowancesQuery(app, { address, chainId }), getQueryClient(app))
  useActivityNews((news) =>
    news.type === 'changed' && news.chainId === chainId
      ? refreshAllowances(app, { chainId })
      : undefined,
  )
  const { data } = query
  const all = useMemo(() => {
    const found = data?.pages.flatMap(({ allowances }) => allowances)
    return found && [...new Map(found.map((one) => [allowanceKey(one), one])).values()]
  }, [data])
  if (address === undefined) return <EmptyState icon="wallet" title={t('account.gone')} />
  if (all === undefined) {
    if (!query.isError) return <SkeletonRows rows={4} label={t('shell.loading')} />
    return <FailedState title={t('allowances.failed')} retry={() => query.refetch()} />
  }
  const isComplete = data?.pages[0]?.isComplete ?? true
  if (all.length === 0 && !query.hasNextPage)
    return isComplete ? (
      <EmptyState icon="shield" title={t('allowances.empty')}>
        {t('allowances.emptyHint', { network: network.name })}
      </EmptyState>
    ) : (
      <EmptyState icon="clock" role="status" title={t('allowances.searching')}>
        {t('allowances.searchingHint')}
      </EmptyState>
    )
  return (
    <div className={styles.view}>
      {!isComplete && (
        <p className={styles.hint} role="status">
          {t('allowances.searchingHint')}
        </p>
      )}
      <Choice key={`${chainId} ${address}`} all={all} more={<More query={query} />} />
    </div>
  )
}

type Query = Pick<
  ReturnType<typeof useInfiniteQuery>,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>

function More({ query }: { query: Query }) {
  const t = useT(enAllowances)
  if (!query.hasNextPage) return null
  return (
    <Button variant="quiet" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
      {t(query.isFetchNextPageError ? 'action.tryAgain' : 'allowances.more')}
    </Button>
  )
}

/** The selectable list. Items that disappear are deselected. */
function Choice({ all, more }: { all: readonly Allowance[]; more: React.ReactNode }) {
  const t = useT(enAllowances)
  const { status } = useAccount()
  const { send } = useAppCapabilities()
  const nowMs = useNow() ?? 0
  const [chosenKeys, setChosenKeys] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setIsBusy] = useState(false)
  const canRevoke = send && status === 'connected'
  const chosen = all.filter((one) => chosenKeys.has(allowanceKey(one)))
  const toRow = (allowance: Allowance) => {
    const key = allowanceKey(allowance)
    const choose = (isChosen: boolean) => {
      const next = new Set(chosenKeys)
      if (isChosen) next.add(key)
      else next.delete(key)
      setChosenKeys(next)
    }
    return (
      <AllowanceRow
        key={key}
        allowance={allowance}
        nowMs={nowMs}
        isChosen={chosenKeys.has(key)}
        disabled={isBusy}
        onChoose={canRevoke ? choose : undefined}
      />
    )
  }
  const spam = all.filter(({ isSpam }) => isSpam)
  const visible = all.filter(({ isSpam }) => !isSpam)
  return (
    <>
      {visible.length > 0 && <p className={styles.hint}>{t('allowances.intro')}</p>}
      <ul className={styles.list} aria-label={t('allowances.list')}>
        {visible.map(toRow)}
      </ul>
      {spam.length > 0 && (
        <details className={styles.spam}>
          <summary>{t('allowances.spam', { count: spam.length })}</summary>
          <p className={styles.hint}>{t('allowances.spamHint')}</p>
          <ul className={styles.list}>{spam.map(toRow)}</ul>
        </details>
      )}
      {more}
      {canRevoke && (
        <Revoke allowances={chosen} onBusy={setIsBusy} onDone={() => setChosenKeys(new Set())} />
      )}
    </>
  )
}
