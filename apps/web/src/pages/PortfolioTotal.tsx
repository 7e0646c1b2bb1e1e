import { formatQuantity, getCapabilities, truncateAddress } from '@latchkey/core'
import {
  useAccount,
  useApp,
  useBalances,
  useFeatures,
  useModal,
  useNetwork,
  useToast,
} from '@latchkey/react'
import { formatDollars } from '../formatDollars.ts'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'

/** The total value of the account on the selected network, and what can be done with it. */
export function PortfolioTotal() {
  const { status } = useAccount()
  const { network } = useNetwork()
  const { open } = useModal()
  const chainId = network.caipNetworkId
  const can = getCapabilities(useApp(), { chainId, areas: useFeatures() })
  return (
    <section className="card total" aria-labelledby="total">
      <h2 id="total">
        {text('portfolio.total')} <span>{text('portfolio.on', { network: network.name })}</span>
      </h2>
      <Sum />
      {status === 'reconnecting' && <p className="quiet">{text('portfolio.reconnecting')}</p>}
      <div className="actions">
        {can.send && (
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
        )}
        {can.swap && (
          <button
            type="button"
            className="button swap"
            aria-haspopup="dialog"
            onClick={() => open({ name: 'Swap' })}
          >
            <Glyph name="swap" />
            {text('nav.swap')}
          </button>
        )}
        <button
          type="button"
          className="button"
          aria-haspopup="dialog"
          onClick={() => open({ name: 'Receive' })}
        >
          <Glyph name="receive" />
          {text('nav.receive')}
        </button>
        {can.onramp && (
          <button
            type="button"
            className="button"
            aria-haspopup="dialog"
            onClick={() => open({ name: 'Buy' })}
          >
            <Glyph name="coins" />
            {text('nav.buy')}
          </button>
        )}
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
            : formatDollars(totalValue)}
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
