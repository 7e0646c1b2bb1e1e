import { formatDollars, formatQuantity, pushView } from '@latchkey/core/internal'
import type { Balance } from '@latchkey/wire'
import { useLatchkey } from '../../app/context.ts'
import { useApp } from '../../app/useApp.ts'
import { useNow } from '../../app/useNow.ts'
import { useOnline } from '../../app/useOnline.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow, Row } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { EmptyAccount } from './EmptyAccount.tsx'
import { FaucetButton } from './FaucetButton.tsx'
import styles from './Tokens.module.css'

/** Age in ms from which a price shows its time. */
const OLD_PRICE_MS = 10 * 60_000

/** All tokens of the account on this network, in a tab. */
export function Tokens() {
  const app = useApp()
  const t = useT()
  const activityT = useT(enActivity)
  const { network } = useNetwork()
  const chainId = network.caipNetworkId
  const isOnline = useOnline()
  const balance = useBalances()
  const { data: balances, isLoading, error, refetch, failedAtMs, isAvailable } = balance
  if (!isAvailable)
    return <EmptyState icon="coins" title={activityT('tokens.off', { network: network.name })} />
  if (isLoading) return <SkeletonRows rows={3} label={t('shell.loading')} />
  if (balances === undefined && error !== null) {
    return <FailedState title={activityT('account.tokensFailed')} retry={() => refetch()} />
  }
  const isEmpty = balances?.every(({ quantity }) => !/[1-9]/.test(quantity.numeric)) ?? true
  return (
    <>
      {failedAtMs !== undefined && isOnline && <RetryMark {...balance} />}
      {isEmpty && failedAtMs === undefined && <EmptyAccount />}
      <ul className={styles.list}>
        {balances?.map((entry) => (
          <li key={entry.address ?? 'native'}>
            <TokenRow
              balance={entry}
              onChoose={() =>
                pushView(app, {
                  name: 'TokenDetail',
                  token: { chainId, ...(entry.address && { address: entry.address }) },
                })
              }
            />
          </li>
        ))}
      </ul>
      {!isEmpty && <FaucetButton />}
    </>
  )
}

/** Reports that the tokens are unavailable, and when to retry. */
function RetryMark({
  retryInSeconds: seconds,
  isFetching,
  refetch,
}: Pick<ReturnType<typeof useBalances>, 'isFetching' | 'refetch' | 'retryInSeconds'>) {
  const t = useT(enActivity)
  const { network } = useNetwork()
  return (
    <div className={styles.retry}>
      <p role="status">
        {t('tokens.stale')}
        <small>{t('tokens.staleHint', { symbol: network.nativeCurrency.symbol })}</small>
      </p>
      <button
        type="button"
        className={styles.again}
        aria-disabled={seconds > 0 || isFetching || undefined}
        onClick={() => seconds === 0 && !isFetching && refetch()}
      >
        <Icon name="retry" size={16} />
        {seconds > 0 ? t('tokens.retryIn', { seconds }) : t('action.tryAgain')}
      </button>
    </div>
  )
}

/** A token with the account's balance; a button if it can be chosen. */
export function TokenRow({ balance, onChoose }: { balance: Balance; onChoose?: () => void }) {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const { name, symbol, quantity, value, price, iconUrl } = balance
  const age = usePriceAge(balance)
  const parts = {
    start: <Picture src={iconUrl} name={symbol} round />,
    label: name,
    detail: (
      <span title={age}>
        <span translate="no">{symbol}</span> ·{' '}
        <span>{price === undefined ? t('tokens.noPrice') : formatDollars(price, locale)}</span>
      </span>
    ),
    end: (
      <span className={styles.amounts} translate="no">
        <span title={`${quantity.numeric} ${symbol}`}>{formatQuantity(quantity.numeric)}</span>
        {value !== undefined && <small>{formatDollars(value, locale)}</small>}
      </span>
    ),
  }
  return onChoose ? <Row {...parts} onClick={onChoose} /> : <FactRow {...parts} />
}

/** The time of the price, if it is old. */
function usePriceAge({ priceUpdatedAt }: Balance): string | undefined {
  const t = useT(enActivity)
  const { locale } = useLatchkey()
  const nowMs = useNow() ?? 0
  const atMs = Date.parse(priceUpdatedAt ?? '')
  if (Number.isNaN(atMs) || nowMs - atMs < OLD_PRICE_MS) return undefined
  const date = new Date(atMs).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return t('tokens.priceAge', { date })
}
