import type { ColumnType } from 'kysely'

/** The price of a token at the beginning of each five minutes. */
type PricePointTable = {
  /** CAIP-2. */
  chain_id: string
  /** The native currency is 0xeeee…eeee; contracts are in lower case. */
  token: string
  at: Date
  /** In dollars times 10^18. PostgreSQL returns numeric as a string. */
  price: ColumnType<string, string, never>
}

/** The tables of this area. */
export type PriceTables = { price_points: PricePointTable }
