import type { HistoryTransaction } from '@latchkey/wire'

/** The transactions of a day; `key` is for example `2026-11-26`. */
export type Day = {
  readonly key: string
  /** Set for the reader's present day and for the day before. */
  readonly near: 'today' | 'yesterday' | undefined
  /** The weekday and the date, with the year unless it is the current year. */
  readonly title: string
  /** A moment of the day. */
  readonly atMs: number
  readonly transactions: readonly HistoryTransaction[]
}

type DayOptions = {
  readonly nowMs: number
  readonly timeZone?: string | undefined
  readonly locale: string
}

/**
 * Groups transactions by day in the reader's time zone, each id once. Pending transactions come
 * first, and all others keep their order. A pending transaction, and a date that cannot be parsed,
 * count as now. Titles are in the format of the locale.
 */
export function groupByDay(
  transactions: readonly HistoryTransaction[],
  { nowMs, timeZone, locale }: DayOptions,
): Day[] {
  // Not undefined: older browsers refuse a time zone that is named and undefined.
  const zone = timeZone === undefined ? {} : { timeZone }
  const date = { ...zone, weekday: 'long', day: 'numeric', month: 'long' } as const
  const shortTitle = new Intl.DateTimeFormat(locale, date)
  const longTitle = new Intl.DateTimeFormat(locale, { ...date, year: 'numeric' })
  const toKey = createToKey(zone)
  const today = toKey(nowMs)
  const yesterday = getDayBefore(today)
  const days = new Map<string, Day & { transactions: HistoryTransaction[] }>()
  for (const transaction of pendingFirst(transactions)) {
    const atMs = getMomentMs(transaction, nowMs)
    const key = toKey(atMs)
    const known = days.get(key)
    if (known) {
      known.transactions.push(transaction)
      continue
    }
    const near = key === today ? 'today' : key === yesterday ? 'yesterday' : undefined
    const isThisYear = key.slice(0, -6) === today.slice(0, -6)
    const title = (isThisYear ? shortTitle : longTitle).format(atMs)
    days.set(key, { key, near, title, atMs, transactions: [transaction] })
  }
  return [...days.values()]
}

/** Returns the function that gives the date of a moment, for any calendar of the titles. */
function createToKey(zone: Intl.DateTimeFormatOptions): (atMs: number) => string {
  const numbers = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    ...zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (atMs) => {
    const parts = numbers.formatToParts(atMs)
    const getPart = (name: string) => parts.find(({ type }) => type === name)?.value
    return `${getPart('year')}-${getPart('month')}-${getPart('day')}`
  }
}

/** The date before a date: days of a calendar, which may have 23 or 25 hours. */
function getDayBefore(key: string): string {
  const [year = 0, month = 1, day = 1] = key.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day - 1)).toISOString().slice(0, 10)
}

function pendingFirst(transactions: readonly HistoryTransaction[]): HistoryTransaction[] {
  const unique = [...new Map(transactions.map((one) => [one.id, one])).values()]
  const isPending = ({ metadata }: HistoryTransaction) => metadata.status === 'pending'
  return [...unique.filter(isPending), ...unique.filter((one) => !isPending(one))]
}

/** The moment of a pending transaction is only the time at which the server responded. */
function getMomentMs({ metadata }: HistoryTransaction, nowMs: number): number {
  const atMs = Date.parse(metadata.minedAt)
  return Number.isNaN(atMs) || metadata.status === 'pending' ? nowMs : atMs
}
