import { setSwapDraft } from '@latchkey/core/internal'
import { useId, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import styles from './SlippageField.module.css'
import { getSlippageWarning, readSlippage } from './swapForm.ts'

/** Slippages to choose from, in per cent. */
const choices = [0.5, 1, 3] as const

/** The maximum slippage: a preset, or a typed value. */
export function SlippageField({ slippage }: { slippage: number }) {
  const app = useApp()
  const t = useT(enSwap)
  const id = useId()
  const [typed, setTyped] = useState(
    choices.some((choice) => choice === slippage) ? '' : String(slippage),
  )
  const isWrong = typed !== '' && readSlippage(typed) === undefined
  const warning = getSlippageWarning(slippage)
  return (
    <fieldset className={styles.slippage}>
      <legend>{t('swap.slippage')}</legend>
      <div className={styles.choices}>
        {choices.map((choice) => (
          <label key={choice} className={styles.choice}>
            <input
              type="radio"
              name={id}
              checked={typed === '' && slippage === choice}
              onChange={() => {
                setTyped('')
                setSwapDraft(app, { slippage: choice })
              }}
            />
            <span dir="ltr">{t('swap.share', { percent: choice })}</span>
          </label>
        ))}
        <input
          className={styles.own}
          inputMode="decimal"
          autoComplete="off"
          aria-label={t('swap.slippageOwn')}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-hint`}
          placeholder={t('swap.slippageOther')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            const read = target.value === '' ? 1 : readSlippage(target.value)
            if (read !== undefined) setSwapDraft(app, { slippage: read })
          }}
        />
      </div>
      <p
        id={`${id}-hint`}
        className={styles.hint}
        data-tone={isWrong ? 'danger' : warning && 'warn'}
      >
        {isWrong
          ? t('swap.slippageWrong')
          : t(warning ?? 'swap.slippageHint', { percent: slippage })}
      </p>
    </fieldset>
  )
}
