import type { HistorySync } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { hexToBytes } from '../../evm/hex.ts'
import type { FollowedAccount } from '../activity.ts'
import { freshSeconds } from './readCoverage.ts'

type Row = {
  live: boolean
  fresh: boolean
  first_block: bigint | null
  head: bigint | null
  left: bigint
  since_ms: bigint | null
  bottom_ms: bigint | null
  unread: bigint
  unread_ms: bigint | null
}

/** See `Activity.sync`. */
export async function readSync(
  db: Kysely<Database>,
  { chainId, address }: FollowedAccount,
): Promise<HistorySync> {
  const { rows } = await sql<Row>`
    select a.live, a.first_block, c.head, a.unread_ms, a.since_ms, a.bottom_ms,
      c.seen_at > now() - make_interval(secs => ${freshSeconds}) as fresh,
      (select coalesce(sum(upper(part) - lower(part)), 0)::int8 from unnest(a.todo) part) as left,
      (select coalesce(sum(upper(part) - lower(part)), 0)::int8 from unnest(a.unread) part) as unread
    from activity_accounts a join activity_chains c on c.chain_id = a.chain_id
    where a.chain_id = ${chainId} and a.address = ${hexToBytes(address)}`.execute(db)
  const [row] = rows
  if (row === undefined || row.first_block === null || row.head === null)
    return { complete: false, progress: 0, since: null }
  const all = Number(row.head - row.first_block + 1n)
  const done = row.left === 0n
  // While a gap is filled, the rest may exceed the indexed part, but never the total.
  const progress = done || all <= 0 ? 1 : Math.max(0, Math.min(0.999, 1 - Number(row.left) / all))
  const sinceMs = done ? (row.first_block === 0n ? null : row.bottom_ms) : row.since_ms
  return {
    complete: done && row.live && row.fresh && row.unread === 0n,
    progress,
    since: sinceMs === null ? null : new Date(Number(sinceMs)).toISOString(),
    ...(row.unread > 0n && {
      unread: {
        blocks: Number(row.unread),
        latest: new Date(Number(row.unread_ms)).toISOString(),
      },
    }),
  }
}
