import type { ColumnType, Generated } from 'kysely'

type OnrampOrderTable = {
  /** Random and secret: it identifies the order to the visitor and the provider. */
  id: string
  provider: string
  chain_id: string
  /** As the visitor entered it, and in normalized form. */
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
  /** The time of the last reported event, by the provider's clock. */
  reported_at: Generated<Date | null>
  /** In base units, from the chain. PostgreSQL returns numeric as a string. */
  received: ColumnType<string | null, never, string>
  created_at: Date
  /** When to request it from its provider next, if that does not report on its own. */
  ask_at: Date
  /** From `getOrderSource`; 0 for orders that are older than sources. */
  source: number
}

export type OnrampTables = { onramp_orders: OnrampOrderTable }
