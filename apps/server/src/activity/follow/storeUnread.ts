import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Hex } from '../../evm/hex.ts'
import type { BlockRange } from '../nodes/chainData.ts'

/** After this time, blocks that could not be read are tried again. */
export const retrySeconds = 60

/**
 * Stores which `blocks` could not be read for `accounts` (ids by address), to be tried again later.
 */
export async function storeUnread(
  transaction: Transaction<Database>,
  accounts: ReadonlyMap<Hex, number>,
  { blocks, unread }: Pick<BlockRange, 'blocks' | 'unread'>,
): Promise<void> {
  const minedMs = new Map(blocks.map((block) => [block.number, block.minedMs]))
  const known = [...unread].flatMap(([address, numbers]) => {
    const id = accounts.get(address)
    const latestMs = Math.max(...[...numbers].map((number) => minedMs.get(number) ?? 0))
    return id === undefined ? [] : [{ id, latestMs, part: toMultirange(numbers) }]
  })
  if (known.length === 0) return
  await sql`update activity_accounts a set unread = a.unread + part.blocks,
      unread_ms = greatest(a.unread_ms, part.latest_ms),
      unread_at = coalesce(a.unread_at, now() + make_interval(secs => ${retrySeconds}))
    from unnest(${known.map(({ id }) => id)}::int4[],
      ${known.map(({ part }) => part)}::text[]::int8multirange[],
      ${known.map(({ latestMs }) => latestMs)}::int8[]) as part(id, blocks, latest_ms)
    where a.id = part.id`.execute(transaction)
}

/** The SQL literal of a multirange with these blocks. */
export const toMultirange = (blocks: Iterable<number>): string =>
  `{${[...blocks].map((block) => `[${block},${block}]`).join(',')}}`
