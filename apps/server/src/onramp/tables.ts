import type { ColumnType, Generated } from 'kysely'

type OnrampOrderTable = {
  /** Random, and secret: it is what the visitor and the provider know the order by. */
  id: string
  provider: string
  chain_id: string
  /** As the visitor wrote it, and as addresses are compared. */
  address: string
  account: string
  /** `native`, or a contract or mint. */
  asset: string
  symbol: string
  decimals: number
  payment_amount: string | null
  payment_currency: string
  payment_method: string
  status: Generated<string>
  reason: Generated<string | null>
  transaction_hash: Generated<string | null>
  /** When what was reported last has happened, by the provider's clock. */
  reported_at: Generated<Date | null>
  /** In base units, as the chain shows it. PostgreSQL gives numeric as text. */
  received: ColumnType<string | null, never, string>
  created_at: Date
  /** When its provider is asked for it next, if that reports nothing by itself. */
  ask_at: Date
  /** Of `getOrderSource`; 0 of orders from before there were any. */
  source: number
}

export type OnrampTables = { onramp_orders: OnrampOrderTable }
