import {
  formatDollars,
  formatQuantity,
  RecoveryNotice,
  useAccount,
  useCount,
  useNetwork,
  useOnline,
} from '@latchkey/react'
import type { PricePeriod, PricePoint } from '@latchkey/wire'
import { type CSSProperties, useState } from 'react'
import { text } from '../locales/text.ts'
import { CopyAddress } from './CopyAddress.tsx'
import { HeroActions } from './HeroActions.tsx'
import type { Holdings } from './useHoldings.ts'
import { ValueChange } from './ValueChange.tsx'
import { ValueLine } from './ValueLine.tsx'

/** The value of the shown accounts, its line with the change over its period, and the actions. */
export function Hero({ holdings }: { holdings: Holdings }) {
  const { shown, account, missing, own, isActive, isCounting, totalValue } = holdings
  const { status, isUnreached, address } = useAccount()
  const isOnline = useOnline()
  const [point, setPoint] = useState<PricePoint>()
  const [period, setPeriod] = useState<PricePeriod>('day')
  return (
    <section className="card worth" aria-labelledby="total">
      <div className="worthHead">
        <div className="worthNow">
          <div className="worthOf">
            <h2 id="total">
              {shown.length > 1
                ? text('portfolio.totalOf', { count: shown.length })
                : text('portfolio.total')}
            </h2>
            <CopyAddress address={account?.address ?? address} isOwn />
          </div>
          <Sum holdings={holdings} point={point} />
          <p className="change">
            {status === 'reconnecting' && !isUnreached ? (
              text('portfolio.reconnecting')
            ) : point ? (
              new Date(point.atMs).toLocaleString(undefined, {
                dateStyle: 'medium',
                timeStyle: 'short',
              })
            ) : (
              <Change holdings={holdings} period={period} />
            )}
          </p>
        </div>
        {isActive && <HeroActions holdings={holdings} />}
      </div>
      {isActive && <RecoveryNotice />}
      {isUnreached && (
        <p className="notice" role="status">
          {text('portfolio.unreached')}
        </p>
      )}
      {missing.length > 0 && (
        <p className="notice" role="status">
          {text('portfolio.missing', { networks: missing.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {isOnline && own.error && (
        <p className="notice" role="status">
          {text('portfolio.stale')}
        </p>
      )}
      <ValueLine
        key={getKey(shown)}
        accounts={shown}
        total={isCounting ? undefined : totalValue}
        onPoint={setPoint}
        onPeriod={setPeriod}
      />
    </section>
  )
}

/** The total, or the value at the point of the line that is under the pointer. */
function Sum({ holdings, point }: { holdings: Holdings; point: PricePoint | undefined }) {
  const { network } = useNetwork()
  const { isCounting, rows, totalValue, own, shown } = holdings
  if (point) return <Dollars key="point" value={point.price} />
  if (isCounting)
    return <p className="sum skeletonText" role="status" aria-label={text('app.loading')} />
  if (rows === undefined) return <p className="sum">–</p>
  if (totalValue !== undefined) return <Total key={getKey(shown)} value={totalValue} />
  const amount = `${formatQuantity(own.native?.quantity.numeric)} ${network.nativeCurrency.symbol}`
  return (
    <p className="sum" style={shrink(amount)}>
      <bdi translate="no">{amount}</bdi>
    </p>
  )
}

const getKey = (accounts: Holdings['shown']) => accounts.map(({ address }) => address).join()

/** The type gets smaller for a long number, which never breaks. */
const shrink = (shown: string) => ({ '--characters': shown.length }) as CSSProperties

/** The total of the shown accounts, which counts up or down when it changes. */
const Total = ({ value }: { value: number }) => <Dollars value={value} drawn={useCount(value)} />

/**
 * A value whose cents are quiet. While another value is drawn, the content for screen readers is
 * the final value.
 */
function Dollars({ value, drawn = value }: { value: number; drawn?: number }) {
  const shown = formatDollars(value)
  const [whole, cents] = shown.split('.')
  const [drawnWhole, drawnCents] = drawn === value ? [] : formatDollars(drawn).split('.')
  return (
    <p className="sum" style={shrink(shown)}>
      <bdi translate="no">
        <span data-drawn={drawnWhole}>{whole}</span>
        {cents !== undefined && (
          <span className="quiet" data-drawn={drawnCents && `.${drawnCents}`}>
            {`.${cents}`}
          </span>
        )}
      </bdi>
    </p>
  )
}

function Change({ holdings, period }: { holdings: Holdings; period: PricePeriod }) {
  const { rows, totalValue, shown, isCounting } = holdings
  if (isCounting || rows === undefined) return null
  if (totalValue === undefined) return text('portfolio.noPrice')
  return <ValueChange accounts={shown} period={period} />
}
