import { formatQuantity, pushView, tokenImageUrl } from '@latchkey/core'
import type { Balance } from '@latchkey/wire'
import { useLatchkey } from '../context.ts'
import { useApp } from '../hooks/useApp.ts'
import { useBalance } from '../hooks/useBalance.ts'
import { useNetwork } from '../hooks/useNetwork.ts'
import { useT } from '../hooks/useT.ts'
import { Button } from '../parts/Button.tsx'
import { Notice } from '../parts/Notice.tsx'
import { Picture } from '../parts/Picture.tsx'
import { FactRow, Row } from '../parts/Row.tsx'
import { SkeletonRows } from '../parts/Skeleton.tsx'
import { dollars } from './dollars.ts'
import styles from './Tokens.module.css'

/** Every token of the account on this network, as they stand in a tab. */
export function Tokens() {
  const app = useApp()
  const t = useT()
  const { network } = useNetwork()
  const { balances, isPending, error, refetch } = useBalance()
  if (isPending) return <SkeletonRows rows={3} label={t('shell.loading')} />
  if (error !== null) {
    return (
      <Notice
        icon="alert"
        role="alert"
        title={t('account.tokensFailed')}
        action={
          <Button look="quiet" icon="retry" onClick={() => refetch()}>
            {t('action.tryAgain')}
          </Button>
        }
      />
    )
  }
  if (balances === undefined || balances.length === 0) {
    return (
      <Notice
        icon="coins"
        title={t('account.tokensEmpty')}
        action={
          app.config.features.receive && (
            <Button look="quiet" onClick={() => pushView(app, { name: 'Receive' })}>
              {t('account.receive')}
            </Button>
          )
        }
      >
        {t('account.tokensEmptyHint', { network: network.name })}
      </Notice>
    )
  }
  return (
    <ul className={styles.list}>
      {balances.map((balance) => (
        <li key={balance.address ?? 'native'}>
          <TokenRow balance={balance} />
        </li>
      ))}
    </ul>
  )
}

/** One token with what the account holds of it; a button where choosing does something. */
export function TokenRow({ balance, onChoose }: { balance: Balance; onChoose?: () => void }) {
  const app = useApp()
  const { locale } = useLatchkey()
  const { name, symbol, quantity, value, iconUrl } = balance
  const parts = {
    start: <Picture src={iconUrl || tokenImageUrl(app, symbol)} name={symbol} round />,
    label: name,
    detail: symbol,
    end: (
      <span className={styles.amounts}>
        <span>{quantityText(quantity.numeric)}</span>
        {value !== undefined && <small>{dollars(value, locale)}</small>}
      </span>
    ),
  }
  return onChoose ? <Row {...parts} onClick={onChoose} /> : <FactRow {...parts} />
}

/** What is held but too little for three decimals still shows that it is not nothing. */
function quantityText(numeric: string): string {
  const shown = formatQuantity(numeric)
  return /[1-9]/.test(numeric) && !/[1-9]/.test(shown) ? '< 0.001' : shown
}
