import { type Selectable, sql } from 'kysely'
import { sourceCount } from './orderSource.ts'
import { minAskMs, type OrderStore, type StoredOrder, toOrder } from './orderStore.ts'
import type { OnrampTables } from './tables.ts'

const dayMs = 24 * 3_600_000
/**
 * How long to keep an order that was never paid, an order whose payment the provider did not
 * report, and a paid order.
 */
const unpaidMs = 7 * dayMs
const unknownMs = 30 * dayMs
const paidMs = 400 * dayMs
/** The longest time until an order is requested again from a provider that has not answered. */
const maxRetryMs = 10 * 60_000
/**
 * How many servers may take orders at the same moment. Others find no orders, and take some at
 * their next sweep.
 */
const maxServers = 10
/** The interval of the sweeps that take orders. */
const sweepMs = 60_000

/**
 * The pause before the next request: half the age of the order, so that each order causes few
 * requests.
 */
const getPause = (now: Date) =>
  sql`greatest(${minAskMs} * interval '1 ms', (${now}::timestamptz - created_at) / 2)`

/**
 * Takes the orders of these providers that may still be paid and are due: first the longest due of
 * each source, then the second of each, and so on. If more sources wait than `max`, each minute
 * begins at a different source. So a source with many orders cannot delay those from other sources
 * by more than an hour. Orders that another server is taking at this moment are skipped without
 * waiting. Each taken order is due again within 10 minutes, unless its provider answers
 * ({@link postponeAsk}).
 */
export async function takeDueOrders(
  { db, clock }: OrderStore,
  { providers, max }: { readonly providers: readonly string[]; readonly max: number },
): Promise<StoredOrder[]> {
  const now = new Date(clock())
  const first = (Math.floor(clock() / sweepMs) * max) % sourceCount
  const isDue = sql<boolean>`provider = any(${providers}) and ask_at <= ${now}
    and status in ('created', 'declined', 'expired', 'paid')`
  const { rows } = await sql<Selectable<OnrampTables['onramp_orders']>>`
    with due as materialized (
      select id as due_id,
        row_number() over (order by turn, (source - ${first} + ${sourceCount}) % ${sourceCount}) as place
      from (
        select id, source, row_number() over (partition by source order by ask_at) as turn
        from onramp_orders where ${isDue}
      ) as turns
      order by place
      limit ${maxServers * max}
    ), taken as (
      select id from onramp_orders
      join due on due_id = id
      where ${isDue}
      order by place
      limit ${max}
      for update of onramp_orders skip locked)
    update onramp_orders
    set ask_at = ${now}::timestamptz + least(${maxRetryMs} * interval '1 ms', ${getPause(now)})
    where id in (select id from taken)
    returning *`.execute(db)
  return rows.map(toOrder)
}

/**
 * Records that the provider of an order has answered: the order is due again after half its age.
 */
export async function postponeAsk({ db, clock }: OrderStore, id: string): Promise<void> {
  const now = new Date(clock())
  await db
    .updateTable('onramp_orders')
    .set({ ask_at: sql<Date>`${now}::timestamptz + ${getPause(now)}` })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes orders that are no longer needed. An order of the providers in `asked` is deleted only
 * after its provider has recently reported that it was not paid, because otherwise a paid order
 * could be lost. If the provider never reports that, the order is deleted after 30 days.
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
      // Only an answered order is due again that late.
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
