import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Database } from '../db/database.ts'
import type { OperationStatus } from './tables.ts'
import { formatOperation, type UserOperation, userOperation } from './userOperation.ts'

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

type Place = { readonly db: Kysely<Database>; readonly chainId: ChainId }

/** Waiting operations of one sender, and of one chain. */
const maxPerSender = 4
const maxPerChain = 5_000
/** A replacement pays at least a tenth more of both fees. */
const replacementPercent = 110n

/**
 * Adds an operation, instead of one with the same sender and nonce if that pays less. Says why not: `full`, `cheap` (a
 * replacement pays too little), `sent` (the other is on its way).
 */
export async function addOperation(
  { db, chainId }: Place,
  { hash, operation }: { readonly hash: Hex; readonly operation: UserOperation },
): Promise<'added' | 'known' | 'full' | 'cheap' | 'sent'> {
  return db.transaction().execute(async (transaction) => {
    const { sender } = operation
    // One at a time for each sender, so that two requests cannot both pass the checks.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${chainId} ${sender}`}, 0))`.execute(
      transaction,
    )
    const waiting = await transaction
      .selectFrom('user_operations')
      .select(['hash', 'nonce', 'status', 'operation'])
      .where('chain_id', '=', chainId)
      .where('sender', '=', sender)
      .where('status', 'in', ['pending', 'sent'])
      .execute()
    if (waiting.some((one) => one.hash === hash)) return 'known'
    const same = waiting.find(({ nonce }) => nonce === String(operation.nonce))
    if (same?.status === 'sent') return 'sent'
    if (same && !outbids(operation, userOperation.parse(same.operation))) return 'cheap'
    if (!same && waiting.length >= maxPerSender) return 'full'
    if (!same && (await countPending({ db: transaction, chainId })) >= maxPerChain) return 'full'
    if (same)
      await transaction
        .updateTable('user_operations')
        .set({ status: 'dropped', reason: 'replaced', changed_at: sql`now()` })
        .where('chain_id', '=', chainId)
        .where('hash', '=', same.hash)
        .execute()
    const row = {
      chain_id: chainId,
      hash,
      sender,
      nonce: String(operation.nonce),
      operation: JSON.stringify(formatOperation(operation)),
      max_priority_fee: String(operation.maxPriorityFeePerGas),
      status: 'pending' as const,
    }
    // One that was dropped may come again.
    await transaction
      .insertInto('user_operations')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['chain_id', 'hash'])
          .doUpdateSet({ status: 'pending', reason: null, bundle_hash: null, tries: 0 })
          .where('user_operations.status', '=', 'dropped'),
      )
      .execute()
    return 'added'
  })
}

const outbids = (next: UserOperation, last: UserOperation) =>
  next.maxFeePerGas * 100n >= last.maxFeePerGas * replacementPercent &&
  next.maxPriorityFeePerGas * 100n >= last.maxPriorityFeePerGas * replacementPercent

async function countPending({ db, chainId }: Place): Promise<number> {
  const { count } = await db
    .selectFrom('user_operations')
    .select((all) => all.fn.countAll<string>().as('count'))
    .where('chain_id', '=', chainId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The operation with this hash, whatever became of it. */
export async function findOperation(
  { db, chainId }: Place,
  hash: string,
): Promise<StoredOperation | undefined> {
  const row = await db
    .selectFrom('user_operations')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('hash', '=', hash.toLowerCase())
    .executeTakeFirst()
  return row && toOperation(row)
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

/** Says what became of operations. `pending` counts a try. */
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
