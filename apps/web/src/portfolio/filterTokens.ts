import type { NetworkBalance } from './useHoldings.ts'

/** Which tokens are listed. */
export type TokenFilter = {
  /** CAIP-2 id of the only network, or `all`. */
  chainId: string
  /** Part of a name or a symbol. */
  search: string
  /** Whether tokens of less than a dollar are hidden. */
  hidesSmall: boolean
}

/** The filter that lists everything. */
export const noFilter: TokenFilter = { chainId: 'all', search: '', hidesSmall: false }

/** The tokens that match a filter. A token without a price is not small: its value is unknown. */
export function filterTokens<Row extends NetworkBalance>(
  rows: readonly Row[],
  { chainId, search, hidesSmall }: TokenFilter,
): readonly Row[] {
  const wanted = search.trim().toLowerCase()
  return rows.filter(
    (row) =>
      (chainId === 'all' || row.network.caipNetworkId === chainId) &&
      `${row.balance.name} ${row.balance.symbol}`.toLowerCase().includes(wanted) &&
      !(hidesSmall && isSmall(row)),
  )
}

/** What is worth less, in dollars, is small. */
export const smallLimit = 1

/** Whether a balance is worth less than a dollar. */
export const isSmall = ({ balance: { value } }: NetworkBalance) =>
  value !== undefined && value < smallLimit
