import type { Holdings } from './useHoldings.ts'

type Read = Pick<Holdings, 'rows' | 'missing'> & {
  own: Pick<Holdings['own'], 'failedAtMs' | 'error'>
}

/**
 * Whether all balances of the shown accounts are zero. False unless all of them could be read: an
 * account may hold what is missing.
 */
export function hasNothing({ rows, missing, own }: Read): boolean {
  const isKnown = missing.length === 0 && own.failedAtMs === undefined && !own.error
  if (!isKnown || rows === undefined) return false
  return rows.every(({ balance: { quantity } }) => !/[1-9]/.test(quantity.numeric))
}
