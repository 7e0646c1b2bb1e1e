import { getCapabilities, type Network } from '@latchkey/core'
import {
  formatQuantity,
  truncateAddress,
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
import { Glyph, type GlyphName } from '../parts/Glyph.tsx'
import { useOnline } from '../useOnline.ts'
import type { usePortfolioScope } from './usePortfolioScope.ts'

type Action = {
  name: 'send' | 'swap' | 'receive' | 'buy' | 'faucet'
  view: 'Send' | 'Swap' | 'Receive' | 'Buy' | 'Account'
  glyph: GlyphName
  isHeld?: true | undefined
}
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
  const isHeld = areas === undefined || undefined
  // The actions are for the selected network. Unless all of it was read, it may hold something.
  const { data: own, failedAtMs, error } = useBalances()
  const isKnown = own !== undefined && failedAtMs === undefined && !error
  const isEmpty = isKnown && own.every(({ quantity }) => !/[1-9]/.test(quantity.numeric))
  const send = can.send && ({ name: 'send', view: 'Send', glyph: 'send' } as const)
  const swap =
    (can.swap || isHeld) && ({ name: 'swap', view: 'Swap', glyph: 'swap', isHeld } as const)
  const receive = { name: 'receive', view: 'Receive', glyph: 'receive' } as const
  const buy =
    (can.onramp || isHeld) && ({ name: 'buy', view: 'Buy', glyph: 'coins', isHeld } as const)
  const faucet = can.faucet && ({ name: 'faucet', view: 'Account', glyph: 'drop' } as const)
  // An empty account has nothing to send.
  const offered = isEmpty ? [receive, buy, faucet] : [send, swap, receive, buy]
  const actions: readonly Action[] = offered.filter(
    (action) => action !== false && action !== undefined,
  )
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
        {actions.map(({ name, view, glyph, isHeld }, index) => (
          <button
            key={name}
            type="button"
            className={`button ${name}`}
            data-look={index === 0 ? 'main' : undefined}
            data-waits={isHeld}
            aria-haspopup="dialog"
            onClick={() =>
              open(view === 'Account' ? { name: view, tab: 'tokens' } : { name: view })
            }
          >
            <Glyph name={glyph} />
            {text(`nav.${name}`)}
          </button>
        ))}
        <CopyAddress />
      </div>
    </section>
  )
}

function Sum({ holdings, scope, isReconnecting }: Shown & { isReconnecting: boolean }) {
  const { totalValue, rows, unpriced, failedAtMs, isLoading, error, missing } = holdings
  const isOnline = useOnline()
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
      {(!isOnline || error) && (
        <p className="notice" role="status">
          {text(isOnline ? 'portfolio.stale' : 'portfolio.offline')}
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
