import type { HistoryTransaction } from '@latchkey/wire'

/** A month's transactions; `key` is for example `2026-03`. */
export type Month = {
  readonly key: string
  readonly title: string
  readonly transactions: readonly HistoryTransaction[]
}

/**
 * Groups transactions by year and month in the reader's time zone. Keeps their order, and each id
 * once. The title is the month alone in the current year, else month and year, in the format of the
 * locale. A date that cannot be parsed counts as now.
 */
export function groupByMonth(
  transactions: readonly HistoryTransaction[],
  { nowMs, timeZone, locale }: { nowMs: number; timeZone?: string | undefined; locale: string },
): Month[] {
  // Not undefined: older browsers refuse a time zone that is named and undefined.
  const zone = timeZone === undefined ? {} : { timeZone }
  const numbers = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    ...zone,
    year: 'numeric',
    month: '2-digit',
  })
  const month = new Intl.DateTimeFormat(locale, { ...zone, month: 'long' })
  const monthAndYear = new Intl.DateTimeFormat(locale, { ...zone, month: 'long', year: 'numeric' })
  const toMonthKey = (atMs: number) => {
    const parts = numbers.formatToParts(atMs)
    const getPart = (name: string) => parts.find(({ type }) => type === name)?.value
    return `${getPart('year')}-${getPart('month')}`
  }
  const currentYear = toMonthKey(nowMs).slice(0, -3)
  const months = new Map<string, { title: string; transactions: HistoryTransaction[] }>()
  const ids = new Set<string>()
  for (const transaction of transactions) {
    if (ids.has(transaction.id)) continue
    ids.add(transaction.id)
    const minedAtMs = Date.parse(transaction.metadata.minedAt)
    const atMs = Number.isNaN(minedAtMs) ? nowMs : minedAtMs
    const key = toMonthKey(atMs)
    const known = months.get(key)
    if (known) known.transactions.push(transaction)
    else {
      const title = (key.startsWith(`${currentYear}-`) ? month : monthAndYear).format(atMs)
      months.set(key, { title, transactions: [transaction] })
    }
  }
  return [...months].map(([key, group]) => ({ key, ...group }))
}
