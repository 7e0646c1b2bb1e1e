import { goBack, setBuyDraft } from '@latchkey/core/internal'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Row } from '../../parts/Row.tsx'
import styles from '../view.module.css'
import { BuyNotice } from './BuyNotice.tsx'
import { useBuySelection } from './useBuySelection.ts'

/** Selects the payment currency. */
export function OnRampFiatSelect() {
  const app = useApp()
  const { locale } = useLatchkey()
  const state = useBuySelection()
  const { selection, address } = state
  if (!selection || address === undefined) return <BuyNotice {...state} />
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  return (
    <ul className={styles.list}>
      {selection.currencies.map(({ id }) => (
        <li key={id}>
          <Row
            label={names.of(id)}
            detail={id}
            end={id === selection.currency && <Icon name="check" />}
            aria-pressed={id === selection.currency}
            onClick={() => {
              setBuyDraft(app, { currency: id })
              goBack(app)
            }}
          />
        </li>
      ))}
    </ul>
  )
}
