import type { Network } from '@latchkey/core'
import {
  formatQuantity,
  isLatchkeyError,
  networkImageUrl,
  useApp,
  useModal,
  useNetwork,
} from '@latchkey/react'
import { formatDollars } from '../formatDollars.ts'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { Logo } from '../parts/Logo.tsx'
import { useOnline } from '../useOnline.ts'
import type { Holdings, NetworkBalance } from './usePortfolioScope.ts'

/** The tokens of the account on the chosen networks; `scope` is undefined for all. */
export function PortfolioTokens({
  holdings,
  scope,
}: {
  holdings: Holdings
  scope: Network | undefined
}) {
  const { rows, isLoading, error, refetch, isFetching, failedAtMs, retryInSeconds, isAvailable } =
    holdings
  const { network } = useNetwork()
  const isOnline = useOnline()
  return (
    <section className="card list" aria-labelledby="tokens" aria-busy={isLoading}>
      <h2 id="tokens">{text('portfolio.tokens')}</h2>
      {isLoading && <SkeletonRows />}
      {!isAvailable && (
        <div className="empty">
          <p>{text('portfolio.balancesOff', { network: network.name })}</p>
        </div>
      )}
      {!rows && error && (
        <div className="empty" role="alert">
          <p>{text('portfolio.tokensFailed')}</p>
          <p className="quiet small">{getFailureText(error)}</p>
          <button
            type="button"
            className="button"
            aria-disabled={isFetching}
            onClick={() => refetch()}
          >
            {text('app.retry')}
          </button>
        </div>
      )}
      {rows && failedAtMs !== undefined && isOnline && (
        <div className="notice">
          <p role="status">
            {text('portfolio.nativeOnly', { symbol: network.nativeCurrency.symbol })}
          </p>
          <Retry seconds={retryInSeconds} isBusy={isFetching} onRetry={refetch} />
        </div>
      )}
      {rows?.length === 0 && (
        <div className="empty">
          <Glyph name="coins" size={28} />
          <p>{text('portfolio.noTokens')}</p>
          <p className="quiet small">
            {scope
              ? text('portfolio.noTokensText', { network: scope.name })
              : text('portfolio.noTokensAnywhere')}
          </p>
        </div>
      )}
      {rows && rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <TokenRow
              key={`${row.network.caipNetworkId} ${row.balance.address ?? 'native'}`}
              row={row}
              hasNetwork={scope === undefined}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Messages of other errors are for developers. */
const getFailureText = (error: Error) =>
  isLatchkeyError(error, 'OFFLINE') || isLatchkeyError(error, 'RATE_LIMITED')
    ? error.message
    : text('portfolio.tokensFailedText')

/** A retry button, enabled once the server accepts requests again. */
function Retry({
  seconds,
  isBusy,
  onRetry,
}: {
  seconds: number
  isBusy: boolean
  onRetry: () => unknown
}) {
  const isDisabled = isBusy || seconds > 0
  return (
    <button
      type="button"
      className="button"
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onRetry()}
    >
      {seconds > 0 ? text('portfolio.retryIn', { seconds }) : text('app.retry')}
    </button>
  )
}

/** A token with its balance, which opens the token's view. */
function TokenRow({
  row: { balance, network },
  hasNetwork,
}: {
  row: NetworkBalance
  hasNetwork: boolean
}) {
  const app = useApp()
  const { open } = useModal()
  const { name, symbol, quantity, value, price, iconUrl, address, priceUpdatedAt } = balance
  const { caipNetworkId: chainId } = network
  const icon = iconUrl || (address === undefined ? networkImageUrl(app, network) : undefined)
  const facts = (
    <>
      <Logo src={icon} name={symbol} />
      <span className="tokenName">
        <span>{name}</span>
        <span className="quiet small" title={priceAge(priceUpdatedAt)}>
          {hasNetwork && <span>{`${network.name} · `}</span>}
          <span>{price === undefined ? text('portfolio.noPriceShort') : formatDollars(price)}</span>
        </span>
      </span>
      <span className="tokenAmount" translate="no" title={`${quantity.numeric} ${symbol}`}>
        <span>
          {formatQuantity(quantity.numeric)} {symbol}
        </span>
        {value !== undefined && <span className="quiet small">{formatDollars(value)}</span>}
      </span>
    </>
  )
  return (
    <li>
      <button
        type="button"
        className="tokenRow"
        onClick={() =>
          open({ name: 'TokenDetail', token: { chainId, ...(address && { address }) } })
        }
      >
        {facts}
      </button>
    </li>
  )
}

/** The time of a price that is more than ten minutes old; otherwise undefined. */
function priceAge(updatedAt: string | undefined): string | undefined {
  const atMs = Date.parse(updatedAt ?? '')
  if (Number.isNaN(atMs) || Date.now() - atMs < 600_000) return undefined
  return text('portfolio.priceAge', { date: new Date(atMs).toLocaleString() })
}

const SkeletonRows = () => (
  <div role="status" aria-label={text('app.loading')}>
    {[1, 2, 3, 4].map((row) => (
      <div key={row} className="tokenRow skeletonRow" aria-hidden="true">
        <span className="logo" />
        <span className="skeletonLine" />
      </div>
    ))}
  </div>
)
