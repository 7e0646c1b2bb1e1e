import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'

/** The lease of a process that follows a chain. */
export type Lease = {
  readonly db: Kysely<Database>
  readonly chainId: ChainId
  /** A UUID of this process alone. */
  readonly holder: string
}

/** How long a killed process keeps the lease. */
const leaseSeconds = 2.5

const maxIdle = '5s'

/**
 * Thrown if another process leads the chain now, or if the chain was rolled back. The caller
 * discards what it has read.
 */
export class Superseded extends Error {}

/**
 * Takes or renews the lease. False while another process has it. Taking it again starts a new
 * generation, which invalidates the state of all processes from before. `seen`: the newest block is
 * indexed at this moment.
 */
export async function takeLease({ db, chainId, holder }: Lease, seen: 'seen' | 'unseen') {
  const seenAt = seen === 'seen' ? sql`now()` : sql`c.seen_at`
  const { rows } = await sql`
    insert into activity_chains as c (chain_id, holder, held_until)
    values (${chainId}, ${holder}, now() + make_interval(secs => ${leaseSeconds}))
    on conflict (chain_id) do update
    set holder = excluded.holder, held_until = excluded.held_until, seen_at = ${seenAt},
      generation = c.generation + case when c.holder = excluded.holder then 0 else 1 end
    where c.holder = excluded.holder or c.held_until < now()
    returning 1`.execute(db)
  return rows.length > 0
}

/** Gives up the lease, so that another process can take it at once. */
export async function releaseLease({ db, chainId, holder }: Lease): Promise<void> {
  await sql`update activity_chains set held_until = 'epoch', holder = null
    where chain_id = ${chainId} and holder = ${holder}`.execute(db)
}

/**
 * Writes as the holder, one at a time. Throws {@link Superseded} if the process is no longer the
 * holder or the chain has another `generation`.
 */
export function writeAsHolder<Result>(
  { db, chainId, holder }: Lease,
  generation: bigint,
  write: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    // A process that freezes here must not block all others.
    const { rows } = await sql`
      select set_config('idle_in_transaction_session_timeout', ${maxIdle}, true)
      from activity_chains
      where chain_id = ${chainId} and holder = ${holder} and generation = ${generation}
      for update`.execute(transaction)
    if (rows.length === 0) throw new Superseded()
    return write(transaction)
  })
}
