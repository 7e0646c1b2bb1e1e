import { formatDollars } from '@latchkey/core/internal'
import { type PricePeriod, type PricePoint, pricePeriods } from '@latchkey/wire'
import { type ReactNode, useId, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { enToken } from '../../locales/enToken.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { formatPointTime } from './formatPointTime.ts'
import styles from './ValueChart.module.css'

const loadLine = () => import('./LineChart.tsx').then(({ LineChart }) => LineChart)

type Shown = {
  points: readonly PricePoint[] | undefined
  period: PricePeriod
  isError: boolean
  retry: () => unknown
  look: 'card' | 'wide'
  /** Called with the point under the pointer; then the chart does not show it. */
  onPoint?: ((point: PricePoint | undefined) => void) | undefined
}

/** A value over a period that the reader chooses: as a line or as a table. */
export function ValueChart({
  title,
  heading: Heading = 'h4',
  look = 'card',
  onPeriod,
  hint,
  ...history
}: Omit<Shown, 'look'> & {
  title: string
  /** The level of the title on its page. */
  heading?: 'h2' | 'h4'
  /** `wide`: a line as wide as its place, without axes, with the periods below it. */
  look?: 'card' | 'wide'
  onPeriod: (period: PricePeriod) => void
  /** A remark on the values. */
  hint?: ReactNode
}) {
  const t = useT(enToken)
  const id = useId()
  const [isTable, setIsTable] = useState(false)
  return (
    <section className={styles.history} data-look={look} aria-labelledby={id}>
      <Heading id={id} className={styles.title}>
        {title}
      </Heading>
      <Segments
        label={t('token.period')}
        value={history.period}
        onChange={onPeriod}
        tabs={pricePeriods.map((value) => ({ value, label: t(`token.${value}`) }))}
      >
        <div className={styles.body}>
          <Body look={look} isTable={isTable} {...history} />
        </div>
      </Segments>
      <div className={styles.foot}>
        <p>{hint}</p>
        {history.points && history.points.length > 1 && (
          <Button variant="text" onClick={() => setIsTable(!isTable)}>
            {t(isTable ? 'token.asChart' : 'token.asTable')}
          </Button>
        )}
      </div>
    </section>
  )
}

function Body({ points, isError, retry, isTable, ...drawing }: Shown & { isTable: boolean }) {
  const t = useT(enToken)
  if (points === undefined && isError)
    return <FailedState title={t('token.historyFailed')} retry={() => retry()} />
  if (points === undefined) return <Empty label={t('shell.loading')} />
  if (points.length < 2) return <p className={styles.none}>{t('token.noHistory')}</p>
  return isTable ? (
    <PointTable points={points} period={drawing.period} />
  ) : (
    <Line points={points} {...drawing} />
  )
}

const Empty = ({ label }: { label: string }) => (
  <div className={styles.empty} role="status" aria-label={label} />
)

/** The line, once its code has loaded. If it does not load, the table shows the same data. */
function Line(
  props: Pick<Shown, 'period' | 'look' | 'onPoint'> & { points: readonly PricePoint[] },
) {
  const t = useT(enToken)
  const { locale } = useLatchkey()
  const { status, value: LineChart } = useLazyImport(loadLine, true)
  const { points } = props
  if (status === 'failed') return <PointTable points={points} period={props.period} />
  if (LineChart === undefined) return <Empty label={t('shell.loading')} />
  const prices = points.map(({ price }) => price)
  const name = (price: number | undefined) => formatDollars(price ?? 0, locale)
  const label = t('token.lineText', {
    first: name(prices[0]),
    last: name(prices.at(-1)),
    lowest: name(Math.min(...prices)),
    highest: name(Math.max(...prices)),
  })
  return <LineChart {...props} locale={locale} label={label} />
}

function PointTable({ points, period }: { points: readonly PricePoint[]; period: PricePeriod }) {
  const t = useT(enToken)
  const { locale } = useLatchkey()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs the focus.
    <section className={styles.scroll} aria-label={t('token.asTable')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('token.time')}</th>
            <th scope="col">{t('token.value')}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ atMs, price }) => (
            <tr key={atMs}>
              <th scope="row">{formatPointTime(atMs, period, locale)}</th>
              <td>
                <bdi translate="no">{formatDollars(price, locale)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
