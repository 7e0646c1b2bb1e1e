import type { HistoryPage } from '@latchkey/core'

/** Rows per page of the server. */
const pageRows = 50

/**
 * Merges a newly read first page into the known pages: adds newer rows, removes rows that were
 * rolled back, and keeps later rows. Undefined if the new page does not reach the known rows, so
 * everything must be read again.
 */
export function mergeHistoryPages(
  pages: readonly HistoryPage[],
  newest: HistoryPage,
): readonly HistoryPage[] | undefined {
  const end = pages.at(-1)
  if (newest.next === undefined || !end) return [newest]
  const last = newest.transactions.at(-1)
  const known = pages.flatMap(({ transactions }) => transactions)
  const reached = known.findIndex(({ id }) => id === last?.id)
  if (reached === -1) return undefined
  const later = known.slice(reached + 1)
  if (later.length === 0) return [newest]
  const count = Math.ceil(later.length / pageRows)
  const rest = Array.from({ length: count }, (_, index) => ({
    ...end,
    transactions: later.slice(index * pageRows, (index + 1) * pageRows),
  }))
  return [newest, ...rest]
}
