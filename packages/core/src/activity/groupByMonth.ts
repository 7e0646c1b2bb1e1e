import type { HistoryTransaction } from '@latchkey/wire'
import { type Day, groupByDay } from './groupByDay.ts'

/** A month's transactions, also by day; `key` is for example `2026-03`. */
export type Month = {
  readonly key: string
  readonly title: string
  readonly days: readonly Day[]
  readonly transactions: readonly HistoryTransaction[]
}

/**
 * Groups transactions by year and month in the reader's time zone, in the order of `groupByDay`.
 * The title is the month alone in the current year, else month and year, in the format of the
 * locale.
 */
export function groupByMonth(
  transactions: readonly HistoryTransaction[],
  options: { nowMs: number; timeZone?: string | undefined; locale: string },
): Month[] {
  const { nowMs, timeZone, locale } = options
  // Not undefined: older browsers refuse a time zone that is named and undefined.
  const zone = timeZone === undefined ? {} : { timeZone }
  const month = new Intl.DateTimeFormat(locale, { ...zone, month: 'long' })
  const monthAndYear = new Intl.DateTimeFormat(locale, { ...zone, month: 'long', year: 'numeric' })
  const year = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { ...zone, year: 'numeric' })
  const currentYear = year.format(nowMs)
  const months = new Map<string, Day[]>()
  for (const day of groupByDay(transactions, options)) {
    const key = day.key.slice(0, -3)
    const known = months.get(key)
    if (known) known.push(day)
    else months.set(key, [day])
  }
  return [...months].map(([key, days]) => ({
    key,
    title: (key.startsWith(`${currentYear}-`) ? month : monthAndYear).format(days[0]?.atMs),
    days,
    transactions: days.flatMap((day) => day.transactions),
  }))
}
