import {
  type AccountPortfolio,
  formatDollars,
  networkImageUrl,
  sumDollars,
  truncateAddress,
  useApp,
  useNetwork,
  usePortfolios,
  useToast,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { Logo } from '../parts/Logo.tsx'
import { CopyAddress } from '../portfolio/CopyAddress.tsx'
import { TokenRow } from '../portfolio/TokenRow.tsx'
import { useWatched } from './useWatched.ts'
import { WatchForm } from './WatchForm.tsx'
import { unwatch, type Watched } from './watched.ts'

/** Accounts that the visitor watches without their keys: to see, not to use. */
export function Watch() {
  const watched = useWatched()
  const { accounts, isLoading, isFetching, refetch } = usePortfolios({ accounts: watched })
  return (
    <div className="narrow watch">
      <div className="pageHead">
        <h1>{text('watch.title')}</h1>
        <p className="quiet">{text('watch.text')}</p>
      </div>
      <WatchForm />
      {watched.length === 0 && (
        <section className="card empty">
          <Glyph name="eye" size={28} />
          <p>{text('watch.empty')}</p>
          <p className="quiet small">{text('watch.emptyText')}</p>
        </section>
      )}
      {watched.map((one) => (
        <Account
          key={`${one.namespace} ${one.address}`}
          watched={one}
          portfolio={accounts.find(
            ({ namespace, address }) => namespace === one.namespace && address === one.address,
          )}
          isLoading={isLoading}
          isFetching={isFetching}
          onRetry={refetch}
        />
      ))}
    </div>
  )
}

function Account({
  watched,
  portfolio,
  isLoading,
  isFetching,
  onRetry,
}: {
  watched: Watched
  portfolio: AccountPortfolio | undefined
  isLoading: boolean
  isFetching: boolean
  onRetry: () => unknown
}) {
  const app = useApp()
  const { showToast } = useToast()
  const { address, namespace, name } = watched
  const { network: selected, networks: all } = useNetwork()
  const networks = portfolio?.networks ?? []
  const [network] = networks
  const total = sumDollars(portfolio?.data?.map(({ value }) => value) ?? [])
  const missing = networks.filter((one) => portfolio?.missing.includes(one.caipNetworkId))
  // Only networks of the same kind are shown: real ones, or test networks.
  const unread = all.filter(
    (one) => one.chainNamespace === namespace && !one.testnet === !selected.testnet,
  )
  const getReason = () =>
    unread.length === 0
      ? text('watch.noNetwork')
      : text('portfolio.balancesOff', { network: unread.map(({ name }) => name).join(', ') })
  const remove = () => {
    try {
      unwatch(watched)
    } catch {
      showToast({ message: text('watch.notStored'), variant: 'error' })
    }
  }
  return (
    <section className="card list" aria-label={address} aria-busy={isLoading}>
      <div className="watchHead">
        {network && <Logo src={networkImageUrl(app, network)} name={network.name} />}
        <h2>
          {name === undefined ? (
            <span className="hidden">{truncateAddress(address)}</span>
          ) : (
            <bdi className="watchName" translate="no">
              {name}
            </bdi>
          )}
          {total !== undefined && <bdi translate="no">{formatDollars(total)}</bdi>}
        </h2>
        <CopyAddress address={address} isOwn={false} />
        <button
          type="button"
          className="button"
          aria-label={text('watch.removeNamed', { address: truncateAddress(address) })}
          onClick={remove}
        >
          {text('watch.remove')}
        </button>
      </div>
      {portfolio === undefined && !isLoading && <p className="quiet small">{getReason()}</p>}
      {portfolio && portfolio.data === undefined && (
        <Reading error={portfolio.error} isFetching={isFetching} onRetry={onRetry} />
      )}
      {missing.length > 0 && portfolio?.data && (
        <p className="notice" role="status">
          {text('portfolio.missing', { networks: missing.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {portfolio?.data?.length === 0 && <p className="quiet small">{text('portfolio.noTokens')}</p>}
      <ul className="tokenList">
        {portfolio?.data?.map((balance) => {
          const held = networks.find(({ caipNetworkId }) => caipNetworkId === balance.chainId)
          return (
            held && (
              <TokenRow
                key={`${balance.chainId} ${balance.address ?? 'native'}`}
                row={{ balance, network: held }}
                hasNetwork={networks.length > 1}
              />
            )
          )
        })}
      </ul>
    </section>
  )
}

function Reading({
  error,
  isFetching,
  onRetry,
}: {
  error: Error | null
  isFetching: boolean
  onRetry: () => unknown
}) {
  if (!error) return <p className="loading small" role="status" aria-label={text('app.loading')} />
  return (
    <div className="empty" role="alert">
      <p>{text('portfolio.tokensFailed')}</p>
      <button type="button" className="button" aria-disabled={isFetching} onClick={() => onRetry()}>
        {text('app.retry')}
      </button>
    </div>
  )
}
