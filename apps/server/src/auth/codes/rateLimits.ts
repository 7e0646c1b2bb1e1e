import { LatchkeyError } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** How much the pause grows with each login from one network address above its limit. */
export const addressPauseMs = 10_000

/**
 * At most `limit` events in any `ms` milliseconds. With `pauseMs`, further events are possible: the
 * first waits `pauseMs` after the event before it, the second twice as long, and so on.
 */
export type Window = { readonly limit: number; readonly ms: number; readonly pauseMs?: number }

/** The subject of a limit and its windows. `subject` is a keyed hash. */
export type Budget = {
  readonly scope: string
  readonly subject: Uint8Array
  readonly windows: readonly Window[]
}

type BudgetQuery = { readonly budget: Budget; readonly nowMs: number }

/**
 * Takes one event from the budget, atomically, so that concurrent calls never exceed it. Returns 0,
 * or how long to wait until the next event is allowed. Events from a clock that was far ahead do
 * not count.
 */
export async function consumeLimit(
  db: Kysely<Database>,
  { budget, nowMs }: BudgetQuery,
): Promise<number> {
  const { scope, subject, windows } = budget
  const now = new Date(nowMs)
  const longest = Math.max(...windows.map(({ ms }) => ms))
  const free = sql.join(
    windows.map(
      ({ limit, ms, pauseMs }) =>
        sql`(select count(*) < ${limit}::int or max(at) <= ${now}::timestamptz - (count(*) - ${limit}::int + 1) * ${pauseMs ?? null}::int * interval '1 millisecond' from unnest(budgets.spent) at where ${within(now, ms)})`,
    ),
    sql` and `,
  )
  const result = await sql`
    insert into budgets (scope, subject, spent) values (${scope}, ${subject}, array[${now}::timestamptz])
    on conflict (scope, subject) do update
    set spent = array(select at from unnest(budgets.spent) at where ${within(now, longest)}) || ${now}::timestamptz
    where ${free}
    returning 1`.execute(db)
  return result.rows.length > 0 ? 0 : Math.max(1, await readWait(db, { budget, nowMs }))
}

/** Gives back the event that was taken at `nowMs`. */
export async function refund(db: Kysely<Database>, { budget, nowMs }: BudgetQuery): Promise<void> {
  const place = sql`array_position(spent, ${new Date(nowMs)}::timestamptz)`
  await sql`
    update budgets set spent = spent[:${place} - 1] || spent[${place} + 1:]
    where scope = ${budget.scope} and subject = ${budget.subject} and ${place} is not null`.execute(
    db,
  )
}

/**
 * Takes one event from every budget, or none. Throws `LOGIN_THROTTLED` with the longest wait in
 * whole seconds.
 */
export async function consumeLimits(
  db: Kysely<Database>,
  { budgets, nowMs }: { readonly budgets: readonly Budget[]; readonly nowMs: number },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    let longest = 0
    for (const budget of sortBudgets(budgets))
      longest = Math.max(longest, await consumeLimit(trx, { budget, nowMs }))
    if (longest > 0)
      throw new LatchkeyError('LOGIN_THROTTLED', { data: { seconds: Math.ceil(longest / 1000) } })
  })
}

/** Always lock in the same order, so that two transactions never wait for each other. */
const sortBudgets = (budgets: readonly Budget[]) =>
  [...budgets].sort(
    (a, b) => a.scope.localeCompare(b.scope) || Buffer.compare(a.subject, b.subject),
  )

const within = (now: Date, ms: number) =>
  sql`at > ${new Date(now.getTime() - ms)}::timestamptz and at < ${new Date(now.getTime() + ms)}::timestamptz`

/**
 * How long to wait until an event is allowed: 0 if it is allowed now. Takes nothing and waits for
 * no lock.
 */
export async function readWait(
  db: Kysely<Database>,
  { budget, nowMs }: BudgetQuery,
): Promise<number> {
  const row = await db
    .selectFrom('budgets')
    .select('spent')
    .where('scope', '=', budget.scope)
    .where('subject', '=', budget.subject)
    .executeTakeFirst()
  const waits = budget.windows.map(({ limit, ms, pauseMs }) => {
    const inside = (row?.spent ?? [])
      .map((at) => at.getTime())
      .filter((at) => Math.abs(nowMs - at) < ms)
      .sort((a, b) => a - b)
    const freeing = inside[inside.length - limit]
    if (freeing === undefined) return 0
    const untilFreeMs = Math.min(ms, freeing + ms - nowMs)
    if (pauseMs === undefined) return untilFreeMs
    const pause = (inside.length - limit + 1) * pauseMs
    return Math.min(untilFreeMs, (inside.at(-1) ?? nowMs) + pause - nowMs)
  })
  return Math.max(0, ...waits)
}
