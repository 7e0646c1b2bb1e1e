import { type Selectable, sql } from 'kysely'
import { sourceCount } from './orderSource.ts'
import { minAskMs, type OrderStore, type StoredOrder, toOrder } from './orderStore.ts'
import type { OnrampTables } from './tables.ts'

const dayMs = 24 * 3_600_000
/**
 * How long an order is kept that was never paid, one whose provider did not say whether it was, and
 * one that was.
 */
const unpaidMs = 7 * dayMs
const unknownMs = 30 * dayMs
const paidMs = 400 * dayMs
/** How soon a provider that has not answered is asked for an order again, at the latest. */
const maxRetryMs = 10 * 60_000
/**
 * How many servers may take orders at the same moment. Further ones find none, and take some at
 * their next sweep.
 */
const maxServers = 10
/** How often orders are taken. */
const sweepMs = 60_000

/** Half the age of an order: asked for again so much later, it costs few requests. */
const getPause = (now: Date) =>
  sql`greatest(${minAskMs} * interval '1 ms', (${now}::timestamptz - created_at) / 2)`

/**
 * Takes the orders of these providers that may still be paid and for which they are to be asked
 * now: one of each source, then the second of each, the longest due first. If more sources wait
 * than are taken, each minute begins at another one, so that however many orders a source has,
 * those of another are asked for within the hour. What another server takes at this moment is left
 * to it, and waited for by neither. Each is due again within 10 minutes, unless its provider
 * answers ({@link postponeAsk}).
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

/** Notes that the provider of an order has answered: it is due again after half its age. */
export async function postponeAsk({ db, clock }: OrderStore, id: string): Promise<void> {
  const now = new Date(clock())
  await db
    .updateTable('onramp_orders')
    .set({ ask_at: sql<Date>`${now}::timestamptz + ${getPause(now)}` })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes orders that nobody needs any more. An order of the providers that are `asked` goes only
 * once its provider has said lately that nobody paid, as otherwise a paid one could be forgotten;
 * where it never says so, after 30 days.
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
