import { randomBytes } from 'node:crypto'
import type { ChainId, declineReasons, OrderStatus, PaymentMethod } from '@latchkey/wire'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Asset } from './assets.ts'
import type { OnrampTables } from './tables.ts'

type DeclineReason = (typeof declineReasons)[number]

/** An order. `received` is in base units, as the chain shows it. */
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

/** What a provider says of an order, and when that happened. */
export type OrderReport = {
  readonly status: Exclude<OrderStatus, 'created' | 'arrived'>
  readonly at: Date
  readonly reason?: DeclineReason | undefined
  readonly transactionHash?: string | undefined
}

/** Where orders are kept. */
export type OrderStore = { readonly db: Kysely<Database>; readonly clock: () => number }

const dayMs = 24 * 3_600_000
/** How long an order is kept that was never paid, one whose provider did not say whether it was, and one that was. */
const unpaidMs = 7 * dayMs
const unknownMs = 30 * dayMs
const paidMs = 400 * dayMs
const pageSize = 50
/** How soon a provider is asked for an order again, at the earliest, and at the latest where it has not answered. */
const minAskMs = 60_000
const maxRetryMs = 10 * 60_000

/** Saves a new order under an id that nobody can guess. */
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
  >,
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
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toOrder(row)
}

/** Finds an order by its id. */
export async function findOrder({ db }: OrderStore, id: string): Promise<StoredOrder | undefined> {
  const row = await db
    .selectFrom('onramp_orders')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toOrder(row)
}

/** The paid orders of an account, newest first, at most 50. Anybody can begin an order for any account, so others are not its. */
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

/** Deletes an order whose checkout nobody could open. */
export async function deleteOrder({ db }: OrderStore, id: string): Promise<void> {
  await db.deleteFrom('onramp_orders').where('id', '=', id).execute()
}

/** Half the age of an order: asked for again so much later, it costs few requests. */
const getPause = (now: Date) =>
  sql`greatest(${minAskMs} * interval '1 ms', (${now}::timestamptz - created_at) / 2)`

/**
 * Takes the orders of these providers that may still be paid and for which they are to be asked now. The longest due come first, so
 * that new ones do not keep others waiting. Each is due again within 10 minutes, unless its provider answers ({@link postponeAsk}).
 */
export async function takeDueOrders(
  { db, clock }: OrderStore,
  { providers, max }: { readonly providers: readonly string[]; readonly max: number },
): Promise<StoredOrder[]> {
  const now = new Date(clock())
  const rows = await db
    .updateTable('onramp_orders')
    .set({
      ask_at: sql<Date>`${now}::timestamptz + least(${maxRetryMs} * interval '1 ms', ${getPause(now)})`,
    })
    .where('id', 'in', (query) =>
      query
        .selectFrom('onramp_orders')
        .select('id')
        .where('provider', 'in', providers)
        .where('status', 'in', ['created', 'declined', 'expired', 'paid'])
        .where('ask_at', '<=', now)
        .orderBy('ask_at')
        .limit(max)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()
  return rows.map(toOrder)
}

/** Notes that the provider of an order has answered: it is due again after half its age. */
export async function postponeAsk({ db, clock }: OrderStore, id: string): Promise<void> {
  const now = new Date(clock())
  await db
    .updateTable('onramp_orders')
    .set({ ask_at: sql<Date>`${now}::timestamptz + ${getPause(now)}` })
    .where('id', '=', id)
    .execute()
}

/** An order only moves forward, whatever is reported twice, late or in another order. `arrived` comes from the chain alone. */
const ranks: Readonly<Record<OrderStatus, number>> = {
  created: 0,
  declined: 1,
  expired: 1,
  paid: 2,
  // Of these two the later one counts.
  failed: 3,
  sent: 3,
  arrived: 4,
}

/** Applies a report of the order's own provider, unless something later is known. Says whether there is such an order. */
export async function applyReport(
  { db }: OrderStore,
  {
    id,
    provider,
    report,
  }: { readonly id: string; readonly provider: string; readonly report: OrderReport },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('onramp_orders')
      .select(['status', 'reported_at'])
      .where('id', '=', id)
      .where('provider', '=', provider)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return false
    const [before, after] = [ranks[row.status as OrderStatus], ranks[report.status]]
    const isLater = row.reported_at === null || report.at > row.reported_at
    if (after < before || (after === before && !isLater)) return true
    await trx
      .updateTable('onramp_orders')
      .set({
        status: report.status,
        reason: report.reason ?? null,
        reported_at: report.at,
        ...(report.transactionHash !== undefined && { transaction_hash: report.transactionHash }),
      })
      .where('id', '=', id)
      .execute()
    return true
  })
}

/**
 * Marks a sent order as arrived. False if its transaction already brought another order of the same account, or the order has moved
 * on meanwhile.
 */
export async function markArrived(
  { db }: OrderStore,
  {
    id,
    transactionHash,
    received,
  }: { readonly id: string; readonly transactionHash: string; readonly received: bigint },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update onramp_orders as own set status = 'arrived', received = ${String(received)}
    where id = ${id} and transaction_hash = ${transactionHash} and status = 'sent'
      and not exists (select from onramp_orders as other where other.status = 'arrived' and other.id <> own.id
        and other.chain_id = own.chain_id and other.account = own.account and other.asset = own.asset
        and other.transaction_hash = own.transaction_hash)
    returning id`
    .execute(db)
    .catch(noneIfTaken)
  return rows.length > 0
}

/** Of two orders that are marked at the same moment, the unique index lets one through. */
function noneIfTaken(error: unknown): { readonly rows: readonly { readonly id: string }[] } {
  if ((error as { code?: unknown }).code === '23505') return { rows: [] }
  throw error
}

/**
 * Deletes orders that nobody needs any more. An order of the providers that are `asked` goes only once its provider has said lately
 * that nobody paid, as otherwise a paid one could be forgotten; where it never says so, after 30 days.
 */
export async function sweepOrders(
  { db, clock }: OrderStore,
  { asked }: { readonly asked: readonly string[] },
): Promise<void> {
  const before = (ms: number) => new Date(clock() - ms)
  await db
    .deleteFrom('onramp_orders')
    .where(({ or, and, not, eb }) => {
      const isReported = asked.length === 0 ? eb.lit(true) : not(eb('provider', 'in', asked))
      // It is due again so late only after an answer.
      const isAnswered = and([
        eb('status', '=', 'expired'),
        eb('ask_at', '>', new Date(clock() + maxRetryMs)),
      ])
      return or([
        eb('created_at', '<', before(paidMs)),
        and([
          eb('created_at', '<', before(unpaidMs)),
          eb('status', 'in', ['created', 'declined', 'expired']),
          or([isReported, isAnswered, eb('created_at', '<', before(unknownMs))]),
        ]),
      ])
    })
    .execute()
}

function toOrder(row: Selectable<OnrampTables['onramp_orders']>): StoredOrder {
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
