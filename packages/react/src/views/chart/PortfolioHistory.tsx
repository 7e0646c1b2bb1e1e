import type { PricePeriod, PricePoint } from '@latchkey/wire'
import { useEffect, useMemo, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useAccountScope } from '../../app/useAccountScope.ts'
import { useLatestCallback } from '../../app/useLatestCallback.ts'
import { useValueHistory, type ValuedAccount } from '../../hooks/portfolio/useValueHistory.ts'
import { enToken } from '../../locales/enToken.ts'
import { useT } from '../../locales/useT.ts'
import { ValueChart } from './ValueChart.tsx'

/**
 * The value of accounts over time, drawn as a line or a table; by default of the connected account
 * on the selected network. Lists the networks whose earlier value is unknown. Draws nothing if
 * there is no earlier value to compare with.
 */
export function PortfolioHistory({
  accounts,
  now,
  look = 'card',
  isExpected = true,
  onKnown,
  onPoint,
  onPeriod,
}: {
  accounts?: readonly ValuedAccount[] | undefined
  /** The present value in dollars, if the page shows it: the line ends with it. */
  now?: number | undefined
  /** `wide`: a line as wide as its place, without axes, with the periods below it. */
  look?: 'card' | 'wide'
  /** Whether the chart takes its space before its values are known. */
  isExpected?: boolean
  /** Called once it is known whether there is a chart. */
  onKnown?: ((hasChart: boolean) => void) | undefined
  /** Called with the point under the pointer, for a page that shows it; then the chart does not. */
  onPoint?: ((point: PricePoint | undefined, period: PricePeriod) => void) | undefined
  /** Called with the period that is shown, for a page that names it. */
  onPeriod?: ((period: PricePeriod) => void) | undefined
} = {}) {
  const t = useT(enToken)
  const { locale } = useLatchkey()
  const [period, setPeriod] = useState<PricePeriod>('day')
  const { address, network } = useAccountScope()
  const own = address === undefined ? [] : [{ address, networks: [network] }]
  const counted = accounts ?? own
  const networks = [...new Set(counted.flatMap((account) => account.networks))]
  const { data, isError, refetch } = useValueHistory({ accounts: counted, period })
  // Once there was a line, a period without values says so, and the periods stay.
  const [hadLine, setHadLine] = useState(false)
  const isShort = data !== undefined && !hasLine(data.points)
  if (data !== undefined && !isShort && !hadLine) setHadLine(true)
  // An account without a value today may have had a value before.
  const { data: year } = useValueHistory({
    accounts: counted,
    period: 'year',
    enabled: isShort && !hadLine,
  })
  const isKnown = hadLine || data?.points === null || year !== undefined
  const hasChart = hadLine || hasLine(year?.points)
  const report = useLatestCallback((has: boolean) => onKnown?.(has))
  useEffect(() => {
    if (isKnown) report(hasChart)
  }, [isKnown, hasChart, report])
  const reportPeriod = useLatestCallback((shown: PricePeriod) => onPeriod?.(shown))
  useEffect(() => {
    reportPeriod(period)
  }, [period, reportPeriod])
  // The same list on each render, so that the line is not drawn again under the pointer.
  const points = useMemo(() => endWith(now, data?.points), [now, data?.points])
  const showPoint = useLatestCallback((point: PricePoint | undefined) => onPoint?.(point, period))
  if (counted.length === 0 || data?.points === null) return null
  if (isKnown ? !hasChart : !isExpected) return null
  const missing = networks.filter(({ caipNetworkId }) => data?.missing.includes(caipNetworkId))
  const [only] = networks
  const date = data?.since && new Date(data.since).toLocaleDateString(locale)
  return (
    <ValueChart
      title={
        networks.length === 1 && only
          ? t('token.worth', { network: only.name })
          : t('token.worthAll')
      }
      heading="h2"
      look={look}
      period={period}
      onPeriod={setPeriod}
      points={points}
      isError={isError}
      retry={refetch}
      onPoint={onPoint && showPoint}
      hint={
        hasLine(data?.points) && (
          <>
            <span>{date ? t('token.worthSince', { date }) : t('token.worthHint')}</span>
            {missing.length > 0 && (
              <span>
                {` ${t('token.worthWithout', { networks: missing.map(({ name }) => name).join(', ') })}`}
              </span>
            )}
          </>
        )
      }
    />
  )
}

/** Whether a line has two points and a value. An account that was always empty has neither. */
const hasLine = (points: readonly PricePoint[] | null | undefined) =>
  (points?.length ?? 0) > 1 && points?.some(({ price }) => price > 0) === true

/** A larger share of the value is of tokens without earlier prices, which the line leaves out. */
const maxShare = 0.01

/** The points with the present value as the last one, which may have been read some time ago. */
function endWith(now: number | undefined, points: readonly PricePoint[] | null | undefined) {
  const last = points?.at(-1)
  if (now === undefined || !points || !last) return points ?? undefined
  if (Math.abs(now - last.price) > maxShare * last.price) return points
  return [...points.slice(0, -1), { ...last, price: now }]
}
