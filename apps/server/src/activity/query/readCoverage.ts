import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type Hex, hexToBytes } from '../../evm/hex.ts'
import type { ActivityPosition } from '../activity.ts'

type Row = {
  chain_id: ChainId
  live: boolean
  fresh: boolean | null
  first_block: bigint | null
  seen_to: bigint | null
  head: bigint | null
  since_ms: bigint | null
  bottom: bigint | null
  top: bigint | null
}

/** The indexed part of an account's activity on a chain, for one page. */
export type Coverage = {
  readonly chainId: ChainId
  readonly hasNewest: boolean
  /**
   * Every row above this position is indexed; undefined if everything is indexed down to the first
   * block.
   */
  readonly floor: ActivityPosition | undefined
}

/**
 * How long after its last read an index counts as up to date. After that, the chain may have newer
 * blocks.
 */
export const freshSeconds = 10

const highestIndex = 2 ** 31 - 1
const highestBlock = 2n ** 63n - 1n
const latestMs = 2 ** 48 - 1

/** How far an account is indexed on some chains. */
export async function readCoverage(
  db: Kysely<Database>,
  { address, chainIds }: { readonly address: Hex; readonly chainIds: readonly ChainId[] },
): Promise<Coverage[]> {
  const { rows } = await sql<Row>`
    select a.chain_id, a.live, a.first_block, a.seen_to, c.head, a.since_ms,
      lower(a.todo) as bottom, upper(a.todo) as top,
      c.seen_at > now() - make_interval(secs => ${freshSeconds}) as fresh
    from activity_accounts a join activity_chains c on c.chain_id = a.chain_id
    where a.chain_id = any(${chainIds}::text[]) and a.address = ${hexToBytes(address)}`.execute(db)
  const known = new Map(rows.map((row) => [row.chain_id, row]))
  return chainIds.map((chainId) => {
    const row = known.get(chainId)
    return { chainId, hasNewest: hasNewest(row), floor: getFloor(chainId, row) }
  })
}

function hasNewest(row: Row | undefined): boolean {
  if (!row?.live || !row.fresh || row.head === null) return false
  return row.top === null || row.top <= row.head
}

function getFloor(chainId: ChainId, row: Row | undefined): ActivityPosition | undefined {
  const begin = { chainId, minedAtMs: latestMs, blockNumber: highestBlock, index: highestIndex }
  if (!row || row.first_block === null || row.head === null) return begin
  if (row.top === null || row.bottom === null) return undefined
  // Indexed before: only a gap at the top is left, and the rows below it are complete.
  if (row.seen_to !== null && row.bottom > row.seen_to) return undefined
  if (row.since_ms === null) return begin
  const above = { chainId, minedAtMs: Number(row.since_ms), blockNumber: row.top - 1n }
  return { ...above, index: highestIndex }
}
