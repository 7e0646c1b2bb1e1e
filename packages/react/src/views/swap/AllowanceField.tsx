import type { AllowanceChoice } from '@latchkey/core'
import { useId } from 'react'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import styles from './AllowanceField.module.css'
import warnings from './SwapWarnings.module.css'

/**
 * The allowance of the swap contract: exactly the amount, or, with a warning, unlimited until
 * revoked.
 */
export function AllowanceField({
  allowance,
  symbol,
  disabled,
  onChange,
}: {
  allowance: AllowanceChoice
  symbol: string
  disabled: boolean
  onChange: (allowance: AllowanceChoice) => void
}) {
  const t = useT(enSwap)
  const id = useId()
  const isUnlimited = allowance === 'unlimited'
  return (
    <details className={styles.allowance} open={isUnlimited || undefined}>
      <summary>{t('swap.allowance')}</summary>
      <fieldset
        disabled={disabled}
        aria-label={t('swap.allowance')}
        aria-describedby={`${id}-hint`}
      >
        <label>
          <input
            type="radio"
            name={id}
            checked={!isUnlimited}
            onChange={() => onChange('signature')}
          />
          {t('swap.allowanceExact')}
        </label>
        <label>
          <input
            type="radio"
            name={id}
            checked={isUnlimited}
            onChange={() => onChange('unlimited')}
          />
          {t('swap.allowanceUnlimited')}
        </label>
      </fieldset>
      <p
        id={`${id}-hint`}
        className={warnings.notice}
        data-tone={isUnlimited ? 'danger' : undefined}
      >
        {t(isUnlimited ? 'swap.allowanceWarning' : 'swap.allowanceHint', { symbol })}
      </p>
    </details>
  )
}
