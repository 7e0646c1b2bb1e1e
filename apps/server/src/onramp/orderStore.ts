import { randomBytes } from 'node:crypto'
import type { ChainId, declineReasons, OrderStatus, PaymentMethod } from '@latchkey/wire'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Asset } from './assets.ts'
import type { OnrampTables } from './tables.ts'

type DeclineReason = (typeof declineReasons)[number]

/** An order. `received` is in base units, from the chain. */
export type StoredOrder = {
  readonly id: string
  readonly provider: string
  readonly asset: Omit<Asset, 'name'>
  readonly address: string
  readonly account: string
  readonly paymentAmount: string | undefined
  readonly paymentCurrency: string
  readonly paymentMethod: PaymentMethod
  readonly status: OrderStatus
  readonly reason: DeclineReason | undefined
  readonly transactionHash: string | undefined
  readonly received: bigint | undefined
  readonly createdAt: Date
}

/** A provider's report of an order, with the time of the event. */
export type OrderReport = {
  readonly status: Exclude<OrderStatus, 'created' | 'arrived'>
  readonly at: Date
  readonly reason?: DeclineReason | undefined
  readonly transactionHash?: string | undefined
}

export type OrderStore = { readonly db: Kysely<Database>; readonly clock: () => number }

const pageSize = 50
/** The shortest time between two requests to a provider for the same order. */
export const minAskMs = 60_000

/** Saves a new order under an unguessable id. `source` is a number of {@link getOrderSource}. */
export async function insertOrder(
  { db, clock }: OrderStore,
  order: Pick<
    StoredOrder,
    | 'provider'
    | 'asset'
    | 'address'
    | 'account'
    | 'paymentAmount'
    | 'paymentCurrency'
    | 'paymentMethod'
  > & { readonly source: number },
): Promise<StoredOrder> {
  const { chainId, asset, symbol, decimals } = order.asset
  const row = await db
    .insertInto('onramp_orders')
    .values({
      id: randomBytes(18).toString('base64url'),
      provider: order.provider,
      chain_id: chainId,
      address: order.address,
      account: order.account,
      asset,
      symbol,
      decimals,
      payment_amount: order.paymentAmount ?? null,
      payment_currency: order.paymentCurrency,
      payment_method: order.paymentMethod,
      created_at: new Date(clock()),
      ask_at: new Date(clock() + minAskMs),
      source: order.source,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toOrder(row)
}

export async function findOrder({ db }: OrderStore, id: string): Promise<StoredOrder | undefined> {
  const row = await db
    .selectFrom('onramp_orders')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toOrder(row)
}

/**
 * The paid orders of an account, newest first, at most 50. Unpaid orders do not count as the
 * account's, because anyone can create an order for any account.
 */
export async function findPaidOrders(
  { db }: OrderStore,
  {
    account,
    chainIds,
    provider,
  }: {
    readonly account: string
    readonly chainIds: readonly ChainId[]
    readonly provider: string | undefined
  },
): Promise<StoredOrder[]> {
  if (chainIds.length === 0) return []
  let query = db
    .selectFrom('onramp_orders')
    .selectAll()
    .where('account', '=', account)
    .where('chain_id', 'in', chainIds)
    .where('status', 'in', ['paid', 'failed', 'sent', 'arrived'])
  if (provider !== undefined) query = query.where('provider', '=', provider)
  const rows = await query.orderBy('created_at', 'desc').limit(pageSize).execute()
  return rows.map(toOrder)
}

/** Deletes an order whose checkout could not be opened. */
export async function deleteOrder({ db }: OrderStore, id: string): Promise<void> {
  await db.deleteFrom('onramp_orders').where('id', '=', id).execute()
}

export function toOrder(row: Selectable<OnrampTables['onramp_orders']>): StoredOrder {
  return {
    id: row.id,
    provider: row.provider,
    asset: {
      chainId: row.chain_id as ChainId,
      asset: row.asset,
      symbol: row.symbol,
      decimals: row.decimals,
    },
    address: row.address,
    account: row.account,
    paymentAmount: row.payment_amount ?? undefined,
    paymentCurrency: row.payment_currency,
    paymentMethod: row.payment_method as PaymentMethod,
    status: row.status as OrderStatus,
    reason: (row.reason as DeclineReason | null) ?? undefined,
    transactionHash: row.transaction_hash ?? undefined,
    received: row.received === null ? undefined : BigInt(row.received),
    createdAt: row.created_at,
  }
}
