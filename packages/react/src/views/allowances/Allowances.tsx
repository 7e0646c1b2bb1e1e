import {
  type AllowanceRisk,
  formatDollars,
  rankAllowances,
  sumRisks,
} from '@latchkey/core/internal'
import type { Allowance, Balance } from '@latchkey/wire'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
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
import { useBalances } from '../../hooks/useBalances.ts'
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

/** The account's allowances on the selected network, riskiest first, and their revocation. */
export function Allowances() {
  const app = useApp()
  const t = useT(enAllowances)
  const { address, chainId, network } = useAccountScope()
  const query = useInfiniteQuery(allowancesQuery(app, { address, chainId }), getQueryClient(app))
  const { data: balances = [], isLoading } = useBalances()
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
  // Without prices, the order would change under the pointer.
  if (isLoading) return <SkeletonRows rows={4} label={t('shell.loading')} />
  return (
    <div className={styles.view}>
      {!isComplete && (
        <p className={styles.hint} role="status">
          {t('allowances.searchingHint')}
        </p>
      )}
      <Choice
        key={`${chainId} ${address}`}
        all={all}
        balances={balances}
        hasAll={isComplete && !query.hasNextPage}
        more={<More query={query} />}
      />
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

/**
 * How much the apps can take: at least, if an allowance is not loaded or has no known value. What
 * that means follows, if an app can take something.
 */
function AtRisk({ risks, hasAll }: { risks: readonly AllowanceRisk[]; hasAll: boolean }) {
  const t = useT(enAllowances)
  const { locale } = useLatchkey()
  const { dollars, isComplete, spenders: count } = sumRisks(risks)
  if (count === 0)
    return hasAll ? <p className={styles.sum}>{t('allowances.atRiskNothing')}</p> : null
  const value = formatDollars(dollars, locale)
  return (
    <>
      <p className={styles.sum}>
        {dollars === 0 && !isComplete
          ? t('allowances.atRiskUnpriced', { count })
          : t(isComplete && hasAll ? 'allowances.atRisk' : 'allowances.atRiskLeast', {
              count,
              value,
            })}
      </p>
      <p className={styles.hint}>{t('allowances.intro')}</p>
    </>
  )
}

/** The selectable list. Items that disappear are deselected. */
function Choice({
  all,
  balances,
  hasAll,
  more,
}: {
  all: readonly Allowance[]
  balances: readonly Balance[]
  hasAll: boolean
  more: React.ReactNode
}) {
  const t = useT(enAllowances)
  const { status } = useAccount()
  const { send } = useAppCapabilities()
  const nowMs = useNow() ?? 0
  const [chosenKeys, setChosenKeys] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setIsBusy] = useState(false)
  const canRevoke = send && status === 'connected'
  const chosen = all.filter((one) => chosenKeys.has(allowanceKey(one)))
  const toRow = (risk: AllowanceRisk) => {
    const key = allowanceKey(risk.allowance)
    const choose = (isChosen: boolean) => {
      const next = new Set(chosenKeys)
      if (isChosen) next.add(key)
      else next.delete(key)
      setChosenKeys(next)
    }
    return (
      <AllowanceRow
        key={key}
        risk={risk}
        nowMs={nowMs}
        isChosen={chosenKeys.has(key)}
        disabled={isBusy}
        onChoose={canRevoke ? choose : undefined}
      />
    )
  }
  const risks = rankAllowances(all, { balances, nowMs })
  const spam = risks.filter(({ allowance }) => allowance.isSpam)
  const visible = risks.filter(({ allowance }) => !allowance.isSpam)
  return (
    <>
      {visible.length > 0 && <AtRisk risks={visible} hasAll={hasAll} />}
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
        <Revoke
          allowances={chosen}
          balances={balances}
          onBusy={setIsBusy}
          onDone={() => setChosenKeys(new Set())}
        />
      )}
    </>
  )
}
