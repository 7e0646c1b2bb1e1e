import { type BuySelection, setBuyDraft } from '@latchkey/core/internal'
import { useId } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { enBuy } from '../../locales/enBuy.ts'
import { useT } from '../../locales/useT.ts'
import styles from '../send/FeeChoices.module.css'
import viewStyles from '../view.module.css'
import { formatMoney } from './formatMoney.ts'

/** By card or from a bank account, if both are available. */
export function BuyMethods({
  selection: { methods, method, currency, currencies },
  disabled,
}: {
  selection: BuySelection
  disabled: boolean
}) {
  const app = useApp()
  const t = useT(enBuy)
  const { locale } = useLatchkey()
  const name = useId()
  const all = currencies.find(({ id }) => id === currency)?.payment_method_limits ?? []
  const maxOf = (one: string) =>
    formatMoney({ amount: all.find(({ id }) => id === one)?.max ?? '0', currency }, locale)
  if (methods.length < 2) return null
  return (
    <fieldset className={styles.choices} disabled={disabled}>
      <legend className={viewStyles.hidden}>{t('buy.method')}</legend>
      {methods.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            checked={one === method}
            onChange={() => setBuyDraft(app, { method: one })}
          />
          <span className={styles.words}>{t(`buy.${one}`)}</span>
          <small>{t('buy.upTo', { max: maxOf(one) })}</small>
        </label>
      ))}
    </fieldset>
  )
}
