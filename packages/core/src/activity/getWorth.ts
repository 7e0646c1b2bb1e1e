import type { HistoryTransaction } from '@latchkey/wire'
import { sumDollars } from '../account/formatDollars.ts'

/**
 * The worth in dollars, at its time, of what arrived in a transaction, otherwise of what left;
 * undefined unless all of it is known.
 */
export function getWorth({ transfers }: HistoryTransaction): number | undefined {
  const incoming = transfers.filter(({ direction }) => direction === 'in')
  const values = (incoming.length > 0 ? incoming : transfers).map(({ value }) => value ?? -1)
  return values.every((value) => value >= 0) ? sumDollars(values) : undefined
}
