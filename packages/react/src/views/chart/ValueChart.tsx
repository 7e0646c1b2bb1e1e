import { type PricePeriod, type PricePoint, pricePeriods } from '@latchkey/wire'
import { useId, useState } from 'react'
import { useLatchkey } from '../../app/context.ts'
import { useLazyImport } from '../../app/useLazyImport.ts'
import { enToken } from '../../locales/enToken.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { formatPoint, formatPointTime } from './formatPoint.ts'
import styles from './ValueChart.module.css'

const loadLine = () => import('./LineChart.tsx').then(({ LineChart }) => LineChart)

type Points = {
  points: readonly PricePoint[] | undefined
  isError: boolean
  retry: () => unknown
}

/** A value over a period that the reader chooses: as a line or as a table. */
export function ValueChart({
  title,
  heading: Heading = 'h4',
  period,
  onPeriod,
  ...history
}: Points & {
  title: string
  /** The level of the title on its page. */
  heading?: 'h2' | 'h4'
  period: PricePeriod
  onPeriod: (period: PricePeriod) => void
}) {
  const t = useT(enToken)
  const id = useId()
  return (
    <section className={styles.history} aria-labelledby={id}>
      <Heading id={id} className={styles.title}>
        {title}
      </Heading>
      <Segments
        label={t('token.period')}
        value={period}
        onChange={onPeriod}
        tabs={pricePeriods.map((value) => ({ value, label: t(`token.${value}`) }))}
      >
        <div className={styles.body}>
          <Body period={period} {...history} />
        </div>
      </Segments>
    </section>
  )
}

function Body({ points, isError, retry, period }: Points & { period: PricePeriod }) {
  const t = useT(enToken)
  const [isTable, setIsTable] = useState(false)
  if (points === undefined && isError)
    return <FailedState title={t('token.historyFailed')} retry={() => retry()} />
  if (points === undefined) return <Empty label={t('shell.loading')} />
  if (points.length < 2) return <p className={styles.none}>{t('token.noHistory')}</p>
  return (
    <>
      {isTable ? (
        <PointTable points={points} period={period} />
      ) : (
        <Line points={points} period={period} />
      )}
      <Button variant="text" onClick={() => setIsTable(!isTable)}>
        {t(isTable ? 'token.asChart' : 'token.asTable')}
      </Button>
    </>
  )
}

const Empty = ({ label }: { label: string }) => (
  <div className={styles.empty} role="status" aria-label={label} />
)

/** The line, once its code has loaded. If it does not load, the table shows the same data. */
function Line(props: { points: readonly PricePoint[]; period: PricePeriod }) {
  const t = useT(enToken)
  const { locale } = useLatchkey()
  const { status, value: LineChart } = useLazyImport(loadLine, true)
  const { points } = props
  if (status === 'failed') return <PointTable {...props} />
  if (LineChart === undefined) return <Empty label={t('shell.loading')} />
  const prices = points.map(({ price }) => price)
  const name = (price: number | undefined) => formatPoint(price ?? 0, locale)
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
                <bdi translate="no">{formatPoint(price, locale)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
