import { getCapabilities, type Network } from '@latchkey/core'
import {
  formatQuantity,
  truncateAddress,
  useAccount,
  useApp,
  useFeatures,
  useModal,
  useNetwork,
  useToast,
} from '@latchkey/react'
import { formatDollars } from '../formatDollars.ts'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import type { usePortfolioScope } from './usePortfolioScope.ts'

type Shown = Pick<ReturnType<typeof usePortfolioScope>, 'holdings' | 'scope'>

/** The total value of the account on the selected networks, and the actions. */
export function PortfolioTotal({
  holdings,
  scope,
  networks,
  choose,
}: ReturnType<typeof usePortfolioScope>) {
  const { status, isUnreached } = useAccount()
  const { network } = useNetwork()
  const { open } = useModal()
  const chainId = network.caipNetworkId
  const { data: areas } = useFeatures()
  const can = getCapabilities(useApp(), { chainId, areas })
  // Until the server's features are known, a button keeps its space but is invisible.
  const waits = areas === undefined || undefined
  return (
    <section className="card total" aria-labelledby="total">
      <h2 id="total">
        {text('portfolio.total')}{' '}
        <span>
          {scope ? text('portfolio.on', { network: scope.name }) : text('portfolio.onAll')}
        </span>
      </h2>
      <Sum
        holdings={holdings}
        scope={scope}
        isReconnecting={status === 'reconnecting' && !isUnreached}
      />
      {isUnreached && (
        <p className="notice" role="status">
          {text('portfolio.unreached')}
        </p>
      )}
      {networks.length > 1 && <ChooseScope scope={scope} networks={networks} choose={choose} />}
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
        {(can.swap || waits) && (
          <button
            type="button"
            className="button swap"
            data-waits={waits}
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
        {(can.onramp || waits) && (
          <button
            type="button"
            className="button"
            data-waits={waits}
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

function Sum({ holdings, scope, isReconnecting }: Shown & { isReconnecting: boolean }) {
  const { totalValue, rows, unpriced, failedAtMs, isLoading, error, missing } = holdings
  if (isLoading)
    return <p className="sum skeletonText" role="status" aria-label={text('app.loading')} />
  if (rows === undefined) return <p className="sum">–</p>
  const native = scope && rows.find(({ balance }) => balance.address === undefined)?.balance
  const amount =
    scope && `${formatQuantity(native?.quantity.numeric)} ${scope.nativeCurrency.symbol}`
  return (
    <>
      <p className="sum">
        <bdi translate="no">
          {totalValue === undefined ? (amount ?? '–') : formatDollars(totalValue)}
        </bdi>
      </p>
      <p className="quiet small detail">
        {isReconnecting ? (
          text('portfolio.reconnecting')
        ) : totalValue === undefined ? (
          failedAtMs === undefined && text('portfolio.noPrice')
        ) : unpriced > 0 ? (
          text(unpriced === 1 ? 'portfolio.partlyOne' : 'portfolio.partly', { count: unpriced })
        ) : (
          <bdi translate="no">{amount}</bdi>
        )}
      </p>
      {missing.length > 0 && (
        <p className="notice" role="status">
          {text('portfolio.missing', { networks: missing.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {error && (
        <p className="notice" role="status">
          {text('portfolio.stale')}
        </p>
      )}
    </>
  )
}

function ChooseScope({
  scope,
  networks,
  choose,
}: {
  scope: Network | undefined
  networks: readonly Network[]
  choose: (id: string) => void
}) {
  return (
    <label className="scope">
      <span className="quiet small">{text('portfolio.show')}</span>
      <select
        value={scope?.caipNetworkId ?? 'all'}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="all">{text('portfolio.all')}</option>
        {networks.map(({ caipNetworkId, name }) => (
          <option key={caipNetworkId} value={caipNetworkId}>
            {name}
          </option>
        ))}
      </select>
    </label>
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
