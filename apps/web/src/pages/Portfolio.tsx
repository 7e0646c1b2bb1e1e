import {
  formatAmount,
  formatQuantity,
  getCapabilities,
  networkImageUrl,
  truncateAddress,
} from '@latchkey/core'
import {
  ActivityList,
  NftList,
  useAccount,
  useApp,
  useBalances,
  useFeatures,
  useModal,
  useNetwork,
  useToast,
} from '@latchkey/react'
import type { Balance } from '@latchkey/wire'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { Logo } from '../parts/Logo.tsx'

/** What the account holds on the selected network, and what can be done with it. */
export function Portfolio() {
  const { unsupportedChainId } = useNetwork()
  return (
    <div className="portfolio">
      <h1 className="hidden">{text('portfolio.title')}</h1>
      {unsupportedChainId === undefined ? <Total /> : <Unsupported chainId={unsupportedChainId} />}
      <div className="columns">
        <div className="side">
          <Tokens />
          <Activity />
        </div>
        <Nfts />
      </div>
    </div>
  )
}

function Unsupported({ chainId }: { chainId: string }) {
  const { open } = useModal()
  return (
    <section className="card total" role="alert">
      <p>{text('portfolio.unsupported', { chainId })}</p>
      <button
        type="button"
        className="button"
        data-look="main"
        onClick={() => open({ name: 'Networks' })}
      >
        {text('portfolio.switch')}
      </button>
    </section>
  )
}

function Total() {
  const { status } = useAccount()
  const { network } = useNetwork()
  const { open } = useModal()
  return (
    <section className="card total" aria-labelledby="total">
      <h2 id="total">
        {text('portfolio.total')} <span>{text('portfolio.on', { network: network.name })}</span>
      </h2>
      <Sum />
      {status === 'reconnecting' && <p className="quiet">{text('portfolio.reconnecting')}</p>}
      <div className="actions">
        <button
          type="button"
          className="button"
          data-look="main"
          aria-haspopup="dialog"
          onClick={() => open({ name: 'Send' })}
        >
          <Glyph name="send" />
          {text('nav.send')}
        </button>
        <button
          type="button"
          className="button"
          aria-haspopup="dialog"
          onClick={() => open({ name: 'Receive' })}
        >
          <Glyph name="receive" />
          {text('nav.receive')}
        </button>
        <CopyAddress />
      </div>
    </section>
  )
}

function Sum() {
  const { network } = useNetwork()
  const { totalValue, native, balances, unpriced, failedAtMs, isPending, error } = useBalances()
  if (isPending)
    return <p className="sum skeletonText" role="status" aria-label={text('app.loading')} />
  if (balances === undefined) return <p className="sum">–</p>
  const { symbol } = network.nativeCurrency
  return (
    <>
      <p className="sum">
        <bdi>
          {totalValue === undefined
            ? `${formatQuantity(native?.quantity.numeric)} ${symbol}`
            : dollars(totalValue)}
        </bdi>
      </p>
      <p className="quiet small">
        {totalValue === undefined ? (
          failedAtMs === undefined && text('portfolio.noPrice')
        ) : unpriced > 0 ? (
          text(unpriced === 1 ? 'portfolio.partlyOne' : 'portfolio.partly', { count: unpriced })
        ) : (
          <bdi>{`${formatQuantity(native?.quantity.numeric)} ${symbol}`}</bdi>
        )}
      </p>
      {error && (
        <p className="notice" role="status">
          {text('portfolio.stale')}
        </p>
      )}
    </>
  )
}

function CopyAddress() {
  const { address } = useAccount()
  const { showToast } = useToast()
  if (address === undefined) return null
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => showToast({ message: text('portfolio.copied'), variant: 'success' }),
      () => showToast({ message: text('portfolio.copyFailed'), variant: 'error' }),
    )
  return (
    <button
      type="button"
      className="button address"
      title={address}
      aria-label={`${text('portfolio.copy')} ${truncateAddress(address)}`}
      onClick={copy}
    >
      <Glyph name="copy" />
      {truncateAddress(address)}
    </button>
  )
}

function Tokens() {
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

/** Asks again, from when the server is asked again at all. */
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

function Activity() {
  const { network } = useNetwork()
  if (!useCapabilities().history) return null
  return (
    <section className="card list" aria-labelledby="activity">
      <h2 id="activity">{text('portfolio.activity')}</h2>
      {/* What was opened of one network's list says nothing of another's. */}
      <ActivityList key={network.caipNetworkId} />
    </section>
  )
}

function Nfts() {
  const { open } = useModal()
  if (!useCapabilities().nfts) return null
  return (
    <section className="card list" aria-labelledby="nfts">
      <h2 id="nfts">{text('portfolio.nfts')}</h2>
      <NftList onChoose={(nft) => open({ name: 'NftDetail', nft })} />
    </section>
  )
}

function useCapabilities() {
  const chainId = useNetwork().network.caipNetworkId
  return getCapabilities(useApp(), { chainId, areas: useFeatures() })
}

function TokenRow({ balance }: { balance: Balance }) {
  const app = useApp()
  const { network } = useNetwork()
  const { name, symbol, quantity, value, price, iconUrl, address, priceUpdatedAt } = balance
  const icon = iconUrl || (address === undefined ? networkImageUrl(app, network) : undefined)
  return (
    <li className="tokenRow">
      <Logo src={icon} name={symbol} />
      <span className="tokenName">
        <span>{name}</span>
        <span className="quiet small" title={priceAge(priceUpdatedAt)}>
          {price === undefined ? text('portfolio.noPriceShort') : dollars(price)}
        </span>
      </span>
      <span className="tokenAmount" title={`${quantity.numeric} ${symbol}`}>
        <span>
          {formatQuantity(quantity.numeric)} {symbol}
        </span>
        {value !== undefined && <span className="quiet small">{dollars(value)}</span>}
      </span>
    </li>
  )
}

/** When a price is from, where that was more than ten minutes ago. */
function priceAge(updatedAt: string | undefined): string | undefined {
  const atMs = Date.parse(updatedAt ?? '')
  if (Number.isNaN(atMs) || Date.now() - atMs < 600_000) return undefined
  return text('portfolio.priceAge', { date: new Date(atMs).toLocaleString() })
}

const dollars = (amount: number) => `$${formatAmount(amount)}`

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
