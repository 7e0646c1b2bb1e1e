import { isLatchkeyError, useModal, useNetwork, useOnline } from '@latchkey/react'
import { useState } from 'react'
import { text } from '../locales/text.ts'
import { Glyph } from '../parts/Glyph.tsx'
import { filterTokens, noFilter } from './filterTokens.ts'
import { TokenFilters } from './TokenFilters.tsx'
import { TokenRow } from './TokenRow.tsx'
import type { Holdings } from './useHoldings.ts'

/** The tokens of the shown accounts, most valuable first. */
export function PortfolioTokens({ holdings }: { holdings: Holdings }) {
  const { rows, shown, own, unpriced, isCounting, retry } = holdings
  const { error, isFetching, failedAtMs, retryInSeconds, isAvailable } = own
  const { network } = useNetwork()
  const { open } = useModal()
  const isOnline = useOnline()
  const [filter, setFilter] = useState(noFilter)
  const networks = [...new Set(shown.flatMap((one) => one.networks))]
  const used = shown.filter((one) => one.isInUse).map(({ address }) => address)
  // Accounts of the same network, so that a token may be listed twice.
  const hasOthers = shown.length > 1 && shown.length > used.length
  const filtered = rows && filterTokens(rows, filter)
  return (
    <section className="card list" aria-labelledby="tokens" aria-busy={isCounting}>
      <div className="listHead">
        <h2 id="tokens">{text('portfolio.tokens')}</h2>
        <TokenFilters networks={networks} rows={rows ?? []} filter={filter} onChange={setFilter} />
      </div>
      {isCounting && <SkeletonRows />}
      {!isAvailable && (
        <div className="empty">
          <p>{text('portfolio.balancesOff', { network: network.name })}</p>
        </div>
      )}
      {!rows && !isCounting && error && (
        <div className="empty" role="alert">
          <p>{text('portfolio.tokensFailed')}</p>
          <p className="quiet small">{getFailureText(error)}</p>
          <button
            type="button"
            className="button"
            aria-disabled={isFetching}
            onClick={() => retry()}
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
          <Retry seconds={retryInSeconds} isBusy={isFetching} onRetry={retry} />
        </div>
      )}
      {rows?.length === 0 && isAvailable && (
        <div className="empty">
          <Glyph name="coins" size={28} />
          <p>{text('portfolio.noTokens')}</p>
          <p className="quiet small">{text('portfolio.noTokensAnywhere')}</p>
        </div>
      )}
      {rows && rows.length > 0 && filtered?.length === 0 && (
        <div className="empty" role="status">
          <p>{text('portfolio.noMatch')}</p>
          <button type="button" className="button" onClick={() => setFilter(noFilter)}>
            {text('portfolio.showAll')}
          </button>
        </div>
      )}
      {filtered && filtered.length > 0 && (
        <ul className="tokenList">
          {filtered.map((row) => {
            const { caipNetworkId: chainId } = row.network
            const { address } = row.balance
            const openToken = () =>
              open({ name: 'TokenDetail', token: { chainId, ...(address && { address }) } })
            return (
              <TokenRow
                key={`${row.account} ${chainId} ${address ?? 'native'}`}
                row={row}
                hasNetwork={networks.length > 1}
                account={hasOthers ? row.account : undefined}
                // The view shows what the account in use holds.
                {...(used.includes(row.account) && { onOpen: openToken })}
              />
            )
          })}
        </ul>
      )}
      {rows && unpriced > 0 && (
        <p className="quiet small">
          {text(unpriced === 1 ? 'portfolio.partlyOne' : 'portfolio.partly', { count: unpriced })}
        </p>
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

const SkeletonRows = () => (
  <div className="tokenList" role="status" aria-label={text('app.loading')}>
    {[1, 2, 3, 4, 5, 6, 7, 8].map((row) => (
      <div key={row} className="tokenRow skeletonRow" aria-hidden="true">
        <span className="logo" />
        <span className="skeletonLine" />
      </div>
    ))}
  </div>
)
