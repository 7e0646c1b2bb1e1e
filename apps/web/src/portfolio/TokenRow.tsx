import {
  formatDollars,
  formatQuantity,
  networkImageUrl,
  truncateAddress,
  useApp,
} from '@latchkey/react'
import { text } from '../locales/text.ts'
import { Logo } from '../parts/Logo.tsx'
import { Percent } from './Percent.tsx'
import type { NetworkBalance } from './useHoldings.ts'

/** A token with its price, its change over a day and its balance; a button if it can be opened. */
export function TokenRow({
  row: { balance, network },
  hasNetwork,
  account,
  onOpen,
}: {
  row: NetworkBalance
  /** Whether the network is named. */
  hasNetwork: boolean
  /** The address of the account, if it is named. */
  account?: string | undefined
  onOpen?: () => void
}) {
  const app = useApp()
  const { name, symbol, quantity, value, iconUrl, address } = balance
  const networkIcon = networkImageUrl(app, network)
  const icon = iconUrl || (address === undefined ? networkIcon : undefined)
  const facts = (
    <>
      <span className="badged">
        <Logo src={icon} name={symbol} />
        {hasNetwork && icon !== networkIcon && <Logo src={networkIcon} name={network.name} />}
      </span>
      <span className="tokenName">
        <span>{name}</span>
        <span className="quiet small">
          {hasNetwork && <span>{`${network.name} · `}</span>}
          <span translate="no">{symbol}</span>
          {account !== undefined && (
            <span title={account} translate="no">
              {' · '}
              <bdi>{truncateAddress(account)}</bdi>
            </span>
          )}
        </span>
      </span>
      <TokenPrice balance={balance} />
      <span className="tokenAmount" translate="no" title={`${quantity.numeric} ${symbol}`}>
        {value !== undefined && <span>{formatDollars(value)}</span>}
        <span className={value === undefined ? undefined : 'quiet small'}>
          {formatQuantity(quantity.numeric)} {symbol}
        </span>
      </span>
    </>
  )
  return (
    <li>
      {onOpen ? (
        <button type="button" className="tokenRow" onClick={onOpen}>
          {facts}
        </button>
      ) : (
        <div className="tokenRow">{facts}</div>
      )}
    </li>
  )
}

function TokenPrice({
  balance: { price, priceChange, priceUpdatedAt },
}: Pick<NetworkBalance, 'balance'>) {
  return (
    <span className="tokenPrice" title={priceAge(priceUpdatedAt)}>
      <span className={price === undefined ? 'quiet' : undefined}>
        {price === undefined ? text('portfolio.noPriceShort') : formatDollars(price)}
      </span>
      {priceChange !== undefined && (
        <span>
          <Percent change={priceChange} />{' '}
          <span className="hidden">{text('portfolio.sinceDay')}</span>
        </span>
      )}
    </span>
  )
}

/** The time of a price that is more than ten minutes old; otherwise undefined. */
function priceAge(updatedAt: string | undefined): string | undefined {
  const atMs = Date.parse(updatedAt ?? '')
  if (Number.isNaN(atMs) || Date.now() - atMs < 600_000) return undefined
  return text('portfolio.priceAge', { date: new Date(atMs).toLocaleString() })
}
