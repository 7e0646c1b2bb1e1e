import type { OrderStatus } from '@latchkey/wire'
import { sql } from 'kysely'
import type { OrderReport, OrderStore } from './orderStore.ts'

/**
 * An order only moves forward, even if reports are repeated, late or out of order. `arrived` comes
 * from the chain alone.
 */
const ranks: Readonly<Record<OrderStatus, number>> = {
  created: 0,
  declined: 1,
  expired: 1,
  paid: 2,
  // Of these two the later report counts.
  failed: 3,
  sent: 3,
  arrived: 4,
}

/**
 * Applies a report of the order's own provider, unless a later state is known. Returns whether the
 * order exists.
 */
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
 * Marks a sent order as arrived. False if its transaction already fulfilled another order of the
 * same account, or the order has changed in the meantime.
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

/** If two orders are marked at the same moment, the unique index accepts one. */
function noneIfTaken(error: unknown): { readonly rows: readonly { readonly id: string }[] } {
  if ((error as { code?: unknown }).code === '23505') return { rows: [] }
  throw error
}
