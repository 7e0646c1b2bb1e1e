import { revokeAllowances, showToast } from '@latchkey/core/internal'
import { type Allowance, type Balance, isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { refreshBalances } from '../../app/queries/accountQueries.ts'
import { refreshAllowances, revocationQuery } from '../../app/queries/allowanceQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useApp } from '../../app/useApp.ts'
import { useRemoteHint } from '../../app/useRemoteHint.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enAllowances } from '../../locales/enAllowances.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { FeeRow } from '../send/FeeRow.tsx'
import { reportFailure } from '../send/reportFailure.ts'
import styles from './Allowances.module.css'

/** Revokes the chosen allowances: shows the cost, the button, and the progress. */
export function Revoke({
  allowances,
  balances,
  onBusy,
  onDone,
}: {
  allowances: readonly Allowance[]
  balances: readonly Balance[]
  onBusy: (isBusy: boolean) => void
  onDone: () => void
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enAllowances)
  const { address, chainId } = useAccountScope()
  const place = useRef<HTMLDivElement>(null)
  const [step, setStep] = useState<number>()
  const [failure, setFailure] = useState<unknown>()
  const isBusy = step !== undefined
  const Hint = useRemoteHint({ isWanted: isBusy })
  const query = revocationQuery(app, { address, chainId, allowances })
  const {
    data: plan,
    error,
    isError: hasFailed,
    refetch,
  } = useQuery({ ...query, ...(isBusy && { enabled: false }) }, getQueryClient(app))
  const count = allowances.length
  if (count === 0) return <p className={styles.hint}>{t('allowances.select')}</p>

  const submit = async (ready: NonNullable<typeof plan>) => {
    setFailure(undefined)
    setStep(0)
    onBusy(true)
    try {
      await revokeAllowances(app, { plan: ready, onStep: setStep })
      showToast(app, { message: t('allowances.done', { count }), variant: 'success' })
      onDone()
    } catch (cause) {
      setFailure(cause)
      // On a page, the view is in sight although the modal is closed.
      const isOnPage = place.current?.closest('dialog') === null
      if (!isOnPage) reportFailure(app, { view: 'Allowances', cause, text: getMessage(cause) })
    }
    // Remove those that were revoked before a failure too. If that read fails, the next poll reads
    // them.
    await refreshAllowances(app, { chainId }).catch(() => {})
    refreshBalances(app, { address, chainId }).catch(() => {})
    setStep(undefined)
    onBusy(false)
  }
  const problem = isBusy ? undefined : (failure ?? error ?? undefined)
  return (
    <div ref={place} className={styles.foot}>
      <dl className={styles.fee}>
        <dt>{t(plan?.fee.payer === 'sponsor' ? 'allowances.feePaid' : 'allowances.fee')}</dt>
        <dd>
          <FeeRow amount={plan?.fee} isError={hasFailed} balances={balances} />
        </dd>
      </dl>
      <p className={styles.progress} role="status">
        {plan?.isBatch
          ? t('allowances.asOne')
          : isBusy &&
            plan &&
            plan.count > 1 &&
            t('allowances.step', { number: step + 1, count: plan.count })}
      </p>
      <p className={styles.error} role="alert">
        {problem !== undefined &&
          (isError(problem, 'USER_REJECTED')
            ? t('allowances.declined')
            : isError(problem)
              ? getMessage(problem)
              : t('shell.viewBroke'))}
      </p>
      {isBusy && Hint && <Hint />}
      {hasFailed && !isBusy ? (
        <Button icon="retry" onClick={() => refetch()}>
          {t('action.tryAgain')}
        </Button>
      ) : (
        <Button
          variant="danger"
          busy={isBusy || plan === undefined}
          onClick={() => plan && void submit(plan)}
        >
          {isBusy ? t('allowances.waiting') : t('allowances.revoke', { count })}
        </Button>
      )}
    </div>
  )
}
