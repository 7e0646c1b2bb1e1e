import type { FeeChoice, FeeSpeed } from '@latchkey/core'
import type { Balance } from '@latchkey/wire'
import { useId } from 'react'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import styles from './FeeChoices.module.css'
import { FeeRow } from './FeeRow.tsx'

/**
 * The confirmation speeds of a transfer, and their costs. A fee that the account cannot pay cannot
 * be chosen.
 */
export function FeeChoices({
  choices,
  speed,
  balances,
  disabled,
  onChoose,
}: {
  choices: readonly FeeChoice[]
  speed: FeeSpeed
  balances: readonly Balance[]
  disabled: boolean
  onChoose: (speed: FeeSpeed) => void
}) {
  const t = useT(enHoldings)
  const name = useId()
  return (
    <fieldset className={styles.choices} disabled={disabled}>
      <legend>{t('preview.speed')}</legend>
      {choices.map((choice) => (
        <label key={choice.speed}>
          <input
            type="radio"
            name={name}
            checked={choice.speed === speed}
            disabled={choice.fee === undefined && choice.speed !== speed}
            onChange={() => onChoose(choice.speed)}
          />
          <span className={styles.words}>
            {t(`preview.${choice.speed}`)}
            <small>{t('preview.blocks', { count: choice.blocks })}</small>
          </span>
          <span className={styles.fee}>
            {choice.fee ? (
              <FeeRow amount={choice.fee} isError={false} balances={balances} />
            ) : (
              t('preview.tooMuch')
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
