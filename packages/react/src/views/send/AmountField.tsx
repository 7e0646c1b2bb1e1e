import { formatQuantity } from '@latchkey/core/internal'
import { type ReactNode, useId } from 'react'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { getLength } from '../../parts/Amount.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import styles from './Send.module.css'
import { useTypedAmount } from './useTypedAmount.tsx'

/**
 * A field for an amount, with `end` at the end of its line and `below` under it. `onChange`
 * receives what `useTypedAmount` reads from the input.
 */
export function AmountField({
  label,
  amount,
  symbol,
  isWhole = false,
  isWrong,
  describedBy,
  onChange,
  end,
  below,
  children,
}: {
  label: string
  amount: string
  symbol?: string
  /** Only whole numbers are valid. */
  isWhole?: boolean
  isWrong: boolean
  describedBy?: string
  onChange: (amount: string) => void
  end: ReactNode
  below?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  const { field, question } = useTypedAmount({ amount, symbol, onChange })
  return (
    <div className={styles.field} data-wrong={isWrong || undefined}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.line}>
        <input
          id={id}
          className={`${styles.amount} ${styles.digits}`}
          data-length={getLength(field.value)}
          inputMode={isWhole ? 'numeric' : 'decimal'}
          autoComplete="off"
          placeholder="0"
          aria-invalid={isWrong || undefined}
          aria-describedby={describedBy}
          {...field}
        />
        {end}
      </div>
      {below}
      {question}
      {children}
    </div>
  )
}

/** A button that opens the list of tokens or currencies. `label` names it for screen readers. */
export function ChoiceButton({
  label,
  image,
  children,
  onClick,
}: {
  label: string
  image?: { src: string | undefined; name: string } | undefined
  children: string
  onClick: () => void
}) {
  return (
    <button type="button" className={styles.token} aria-label={label} onClick={onClick}>
      {image && <Picture {...image} size={24} round />}
      <span>{children}</span>
      <Icon name="down" size={16} />
    </button>
  )
}

/** The amount of a token that the account has, with a button that fills in as much as possible. */
export function AvailableAmount({
  held,
  symbol,
  onMax,
}: {
  held: string
  symbol: string
  onMax: () => void
}) {
  const t = useT(enHoldings)
  return (
    <span className={styles.quiet}>
      {t('send.available', { amount: formatQuantity(held), symbol })}
      <MaxButton label={t('send.maxOf', { amount: held, symbol })} onClick={onMax} />
    </span>
  )
}

/** A button that fills in as much as possible. `label` also names the amount. */
export function MaxButton({ label, onClick }: { label: string; onClick: () => void }) {
  const t = useT(enHoldings)
  return (
    <button type="button" className={styles.max} aria-label={label} onClick={onClick}>
      {t('send.max')}
    </button>
  )
}
