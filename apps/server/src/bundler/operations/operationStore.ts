import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Database } from '../../db/database.ts'
import type { OperationStatus } from '../tables.ts'
import { type UserOperation, userOperation } from './userOperation.ts'

/** An operation of the mempool. */
export type StoredOperation = {
  readonly hash: Hex
  readonly operation: UserOperation
  readonly status: OperationStatus
  /** The transaction that carries it. */
  readonly bundleHash: Hex | undefined
  readonly reason: string | undefined
  readonly tries: number
}

/** A chain's mempool. */
export type Place = { readonly db: Kysely<Database>; readonly chainId: ChainId }

/** The operations with these hashes, whatever became of them; undefined where there is none. */
export async function findOperations(
  { db, chainId }: Place,
  hashes: readonly Hex[],
): Promise<(StoredOperation | undefined)[]> {
  const rows = await db
    .selectFrom('user_operations')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('hash', 'in', hashes)
    .execute()
  const found = new Map(rows.map((row) => [row.hash, row]))
  return hashes.map((hash) => {
    const row = found.get(hash)
    return row && toOperation(row)
  })
}

/** Operations that wait, the best paying first; of one sender in the order of their nonces. */
export async function listPending(
  { db, chainId }: Place,
  limit: number,
): Promise<StoredOperation[]> {
  const rows = await db
    .selectFrom('user_operations')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('status', '=', 'pending')
    .orderBy(sql`max_priority_fee::numeric`, 'desc')
    .orderBy(sql`nonce::numeric`)
    .limit(limit)
    .execute()
  return rows.map(toOperation)
}

/** Stores the state of operations. `pending` counts an attempt. */
export async function markOperations(
  { db, chainId }: Place,
  hashes: readonly Hex[],
  to: { status: 'included' | 'dropped' | 'pending'; bundleHash?: Hex; reason?: string },
): Promise<void> {
  if (hashes.length === 0) return
  await db
    .updateTable('user_operations')
    .set({
      status: to.status,
      bundle_hash: to.bundleHash ?? null,
      reason: to.reason ?? null,
      changed_at: sql`now()`,
      ...(to.status === 'pending' && { tries: sql<number>`tries + 1` }),
    })
    .where('chain_id', '=', chainId)
    .where('hash', 'in', hashes)
    .execute()
}

type Row = {
  hash: string
  operation: unknown
  status: OperationStatus
  bundle_hash: string | null
  reason: string | null
  tries: number
}

const toOperation = (row: Row): StoredOperation => ({
  hash: row.hash as Hex,
  operation: userOperation.parse(row.operation),
  status: row.status,
  bundleHash: (row.bundle_hash ?? undefined) as Hex | undefined,
  reason: row.reason ?? undefined,
  tries: row.tries,
})
