import { fromSmallestUnit, type ReviewedSwap, truncateAddress } from '@latchkey/core/internal'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { Icon } from '../../parts/Icon.tsx'
import styles from './SwapSteps.module.css'

type Step = ReviewedSwap['steps'][number]

/** Each step that the wallet prompts for, and its progress. `step` is the current step. */
export function SwapSteps({ plan, step }: { plan: ReviewedSwap; step: number | undefined }) {
  const t = useT(enSwap)
  const { steps, isBatch } = plan
  return (
    <section className={styles.steps} aria-label={t('swap.steps')}>
      <h3>{t('swap.steps')}</h3>
      <ol>
        {steps.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a plan stay in order
          <li key={index} aria-current={step === index ? 'step' : undefined}>
            <span className={styles.stepText}>
              {describe(t, one)}
              <small title={one.kind === 'swap' ? one.contract : one.spender}>
                {t('swap.contract')}{' '}
                {truncateAddress(one.kind === 'swap' ? one.contract : one.spender)}
              </small>
            </span>
            {step !== undefined && index < step && (
              <span className={styles.stepState}>
                <Icon name="check" size={16} />
                {t('swap.stepDone')}
              </span>
            )}
            {step === index && (
              <span className={styles.stepState} role="status">
                {t('swap.stepNow')}
              </span>
            )}
          </li>
        ))}
      </ol>
      {isBatch && <p>{t('swap.asOne')}</p>}
    </section>
  )
}

function describe(t: ReturnType<typeof useT<typeof enSwap>>, step: Step): string {
  if (step.kind === 'swap') return t('swap.stepSwap')
  const { symbol, value, decimals } = step.amount
  if (value === 0n) return t('swap.stepReset', { symbol })
  if (step.kind === 'approve' && step.isUnlimited) return t('swap.stepUnlimited', { symbol })
  const text = step.kind === 'permit' ? 'swap.stepSign' : 'swap.stepApprove'
  return t(text, { amount: fromSmallestUnit(value, decimals), symbol })
}
