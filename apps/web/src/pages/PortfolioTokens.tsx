import { formatQuantity, networkImageUrl } from '@latchkey/core'
import { useApp, useBalances, useModal, useNetwork } from '@latchkey/react'
import type { Balance } from '@latchkey/wire'
import { formatDollars } from '../formatDollars.ts'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { Logo } from '../parts/Logo.tsx'

/** The tokens of the account on the selected network. */
export function PortfolioTokens() {
  const { network } = useNetwork()
  const {
    balances,
    isPending,
    error,
    refetch,
    isFetching,
    failedAtMs,
    retryInSeconds,
    isAvailable,
  } = useBalances()
  return (
    <section className="card list" aria-labelledby="tokens" aria-busy={isPending}>
      <h2 id="tokens">{text('portfolio.tokens')}</h2>
      {isPending && <SkeletonRows />}
      {!isAvailable && (
        <div className="empty">
          <p>{text('portfolio.balancesOff', { network: network.name })}</p>
        </div>
      )}
      {!balances && error && (
        <div className="empty" role="alert">
          <p>{text('portfolio.tokensFailed')}</p>
          <p className="quiet small">{error.message}</p>
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
      {balances && failedAtMs !== undefined && (
        <div className="notice">
          <p role="status">
            {text('portfolio.nativeOnly', { symbol: network.nativeCurrency.symbol })}
          </p>
          <Retry seconds={retryInSeconds} isBusy={isFetching} onRetry={refetch} />
        </div>
      )}
      {balances?.length === 0 && (
        <div className="empty">
          <Glyph name="coins" size={28} />
          <p>{text('portfolio.noTokens')}</p>
          <p className="quiet small">{text('portfolio.noTokensText', { network: network.name })}</p>
        </div>
      )}
      {balances && balances.length > 0 && (
        <ul>
          {balances.map((balance) => (
            <TokenRow key={balance.address ?? 'native'} balance={balance} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** Retries, once the server may be asked again. */
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

function TokenRow({ balance }: { balance: Balance }) {
  const app = useApp()
  const { network } = useNetwork()
  const { open } = useModal()
  const { name, symbol, quantity, value, price, iconUrl, address, priceUpdatedAt } = balance
  const icon = iconUrl || (address === undefined ? networkImageUrl(app, network) : undefined)
  return (
    <li>
      <button
        type="button"
        className="tokenRow"
        onClick={() =>
          open({
            name: 'TokenDetail',
            token: { chainId: network.caipNetworkId, ...(address && { address }) },
          })
        }
      >
        <Logo src={icon} name={symbol} />
        <span className="tokenName">
          <span>{name}</span>
          <span className="quiet small" title={priceAge(priceUpdatedAt)}>
            {price === undefined ? text('portfolio.noPriceShort') : formatDollars(price)}
          </span>
        </span>
        <span className="tokenAmount" title={`${quantity.numeric} ${symbol}`}>
          <span>
            {formatQuantity(quantity.numeric)} {symbol}
          </span>
          {value !== undefined && <span className="quiet small">{formatDollars(value)}</span>}
        </span>
      </button>
    </li>
  )
}

/** When a price is from, where that was more than ten minutes ago. */
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
