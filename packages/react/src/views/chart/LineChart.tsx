import { formatDollars } from '@latchkey/core/internal'
import type { PricePeriod, PricePoint } from '@latchkey/wire'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { formatPointTime } from './formatPointTime.ts'
import styles from './ValueChart.module.css'

const HEIGHT = 160
const WIDE_HEIGHT = 200
const AXIS_SPACE = 72
const hourSeconds = 3_600

const axisFormats: Readonly<Record<PricePeriod, Intl.DateTimeFormatOptions>> = {
  day: { hour: 'numeric' },
  week: { weekday: 'short' },
  month: { day: 'numeric', month: 'short' },
  year: { month: 'short' },
}

type Props = {
  points: readonly PricePoint[]
  period: PricePeriod
  locale: string
  /** `wide`: without axes, filled, from edge to edge. */
  look: 'card' | 'wide'
  /** Called with the point under the pointer; then the chart does not show it. */
  onPoint?: ((point: PricePoint | undefined) => void) | undefined
  /** A description of the line for screen readers. */
  label: string
}

/**
 * A line over time, in the colors of the theme, that shows the point under the pointer. Time runs
 * from left to right in every language.
 */
export function LineChart(props: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<PricePoint>()
  const { points, period, locale, look, label, onPoint = setShown } = props
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const onShow = (index: number | null | undefined) =>
      onPoint(index == null ? undefined : points[index])
    const stop = draw(element, { points, period, locale, look, onShow })
    return () => {
      stop()
      onPoint(undefined)
    }
  }, [points, period, locale, look, onPoint])
  const point = shown ?? points.at(-1)
  return (
    <div className={styles.line}>
      {props.onPoint === undefined && (
        <p className={styles.shown} aria-hidden="true">
          {point && (
            <>
              <bdi translate="no" className={styles.price}>
                {formatDollars(point.price, locale)}
              </bdi>
              <bdi translate="no" className={styles.quiet}>
                {formatPointTime(point.atMs, period, locale)}
              </bdi>
            </>
          )}
        </p>
      )}
      <div ref={place} className={styles.plot} role="img" aria-label={label} dir="ltr" />
    </div>
  )
}

type Drawing = Omit<Props, 'label' | 'onPoint'> & {
  onShow: (index: number | null | undefined) => void
}

/**
 * Draws into an element, and again when its width or the theme changes. Returns a function that
 * stops it.
 */
function draw(element: HTMLElement, { points, period, locale, look, onShow }: Drawing): () => void {
  const isWide = look === 'wide'
  const height = isWide ? WIDE_HEIGHT : HEIGHT
  const color = (name: string) => () => getComputedStyle(element).getPropertyValue(name).trim()
  const quiet = color('--lk-text-2')
  const axis: uPlot.Axis = {
    stroke: quiet,
    font: `12px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: color('--lk-line'), width: 1 },
    ticks: { show: false },
  }
  const writeTime = new Intl.DateTimeFormat(locale, axisFormats[period])
  const writeMinute = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' })
  const chart = new uPlot(
    {
      width: element.clientWidth,
      height,
      ...(isWide && { padding: [8, 0, 8, 0] as [number, number, number, number] }),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      axes: [
        {
          ...axis,
          show: !isWide,
          space: AXIS_SPACE,
          grid: { show: false },
          values: (_, splits, _axis, _space, stepSeconds) =>
            leaveRepeatsOut(
              splits.map((second) =>
                (stepSeconds < hourSeconds ? writeMinute : writeTime).format(second * 1000),
              ),
            ),
        },
        {
          ...axis,
          show: !isWide,
          size: AXIS_SPACE,
          values: (_, splits) => writeShort(splits, locale),
        },
      ],
      series: [
        {},
        {
          stroke: color('--lk-accent-ink'),
          width: 2,
          points: { show: false },
          // The style sheet's mixed color, which a canvas may not understand unresolved.
          ...(isWide && { fill: () => getComputedStyle(element).caretColor }),
        },
      ],
      hooks: { setCursor: [({ cursor }) => onShow(cursor.idx)] },
    },
    [points.map(({ atMs }) => atMs / 1000), points.map(({ price }) => price)],
    element,
  )
  const redraw = () => chart.redraw(false)
  const resizes = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
  resizes.observe(element)
  const theme = new MutationObserver(redraw)
  const themed = element.closest('[data-lk-theme]')
  if (themed) theme.observe(themed, { attributes: true })
  const system = matchMedia('(prefers-color-scheme: light)')
  system.addEventListener('change', redraw)
  return () => {
    resizes.disconnect()
    theme.disconnect()
    system.removeEventListener('change', redraw)
    chart.destroy()
  }
}

/** A short time has several places of the same day or month. */
const leaveRepeatsOut = (labels: readonly string[]) =>
  labels.map((label, index) => (label === labels[index - 1] ? '' : label))

/** With as many digits as are needed to distinguish the values, 7 at most. */
function writeShort(values: readonly number[], locale: string, digits = 4): string[] {
  const labels = values.map((value) =>
    value.toLocaleString(locale, {
      style: 'currency',
      currency: 'USD',
      notation: 'compact',
      maximumSignificantDigits: digits,
    }),
  )
  const isClear = new Set(labels).size === labels.length || digits === 7
  return isClear ? labels : writeShort(values, locale, digits + 1)
}
