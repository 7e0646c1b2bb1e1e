import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Database } from '../../db/database.ts'
import { type SeenCode, seenCode } from '../operations/seenCode.ts'
import { type UserOperation, userOperation } from '../operations/userOperation.ts'
import type { LimitName } from '../sponsorship/sponsorshipBudget.ts'
import type { OperationStatus } from '../tables.ts'

/** An operation of the mempool. */
export type StoredOperation = {
  readonly hash: Hex
  readonly operation: UserOperation
  readonly status: OperationStatus
  /** The transaction that contains it. */
  readonly bundleHash: Hex | undefined
  readonly reason: string | undefined
  readonly tries: number
  /** The most operations that a bundle with this one may hold. */
  readonly together: number | undefined
  /** When it expires, in seconds since 1970; undefined if it does not. */
  readonly until: number | undefined
  /**
   * The code that its validation used; undefined for an operation that an older version accepted.
   */
  readonly code: SeenCode | undefined
}

/**
 * An operation that passed the checks, the code that its validation used, when it expires (seconds
 * since 1970), and the deposit of its paymaster in the EntryPoint.
 */
export type NewOperation = {
  readonly hash: Hex
  readonly operation: UserOperation
  readonly code: SeenCode
  readonly until?: number | undefined
  readonly deposit: bigint | undefined
  /** The base fee when the operation was checked, in wei for a unit of gas. */
  readonly baseFee: bigint
  /**
   * Counts the operator's cost, in the transaction that adds the operation, and returns the limit
   * that is reached.
   */
  readonly count?: (transaction: Kysely<Database>) => Promise<LimitName | undefined>
}

/** A chain's mempool. */
export type ChainDatabase = { readonly db: Kysely<Database>; readonly chainId: ChainId }

/** The operations with these hashes, in any status; undefined for each unknown hash. */
export async function findOperations(
  { db, chainId }: ChainDatabase,
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

/** Drops all operations that wait. */
export async function dropPending({ db, chainId }: ChainDatabase): Promise<void> {
  await db
    .updateTable('user_operations')
    .set({ status: 'dropped', reason: 'cleared', changed_at: sql`now()` })
    .where('chain_id', '=', chainId)
    .where('status', '=', 'pending')
    .execute()
}

/**
 * Returns operations to the waiting state: those that no node accepted alone count a try,
 * `together` limits their next bundle, `waitMs` delays it. Drops those that were replaced in the
 * meantime.
 */
export async function returnOperations(
  { db, chainId }: ChainDatabase,
  hashes: readonly Hex[],
  {
    isTry = false,
    together,
    waitMs,
  }: { readonly isTry?: boolean; readonly together?: number; readonly waitMs?: number } = {},
): Promise<void> {
  if (hashes.length === 0) return
  await sql`update user_operations as o set status = 'dropped', bundle_hash = null, reason = 'replaced', changed_at = now()
    where chain_id = ${chainId} and hash = any(${hashes}::text[]) and status in ('pending', 'sent') and exists (
      select from user_operations as n where n.chain_id = o.chain_id and n.sender = o.sender and n.nonce = o.nonce
      and n.hash <> o.hash and n.status in ('pending', 'sent') and n.max_fee > coalesce(o.max_fee, 0))`.execute(
    db,
  )
  await db
    .updateTable('user_operations')
    .set({
      status: 'pending',
      bundle_hash: null,
      changed_at: sql`now()`,
      ...(isTry && { tries: sql<number>`tries + 1` }),
      ...(together !== undefined && { together }),
      ...(waitMs !== undefined && {
        not_before: sql<Date>`now() + make_interval(secs => ${waitMs / 1_000})`,
      }),
    })
    .where('chain_id', '=', chainId)
    .where('hash', 'in', hashes)
    .where('status', 'in', ['pending', 'sent'])
    .execute()
}

/**
 * Stores the code that a waiting operation's validation now uses, or drops the operation for a
 * reason.
 */
export async function updateCode(
  { db, chainId }: ChainDatabase,
  hash: Hex,
  to: Pick<NewOperation, 'code' | 'until'> | { readonly reason: string },
): Promise<void> {
  await db
    .updateTable('user_operations')
    .set(
      'reason' in to
        ? { status: 'dropped', reason: to.reason, changed_at: sql`now()` }
        : { code: JSON.stringify(to.code), valid_until: to.until ?? null },
    )
    .where('chain_id', '=', chainId)
    .where('hash', '=', hash)
    .where('status', '=', 'pending')
    .execute()
}

/**
 * An operation in a block. `paidGas`: the gas that it paid our bundler for; undefined if another
 * account sent it.
 */
export type Done = {
  readonly hash: Hex
  readonly sender: Hex
  readonly nonce: bigint
  readonly paidGas?: bigint
}

/**
 * Stores the operations that a transaction has executed. An account and a nonce identify an
 * operation: its hash in the block differs from ours if the account's delegate changed in the
 * meantime. Another operation with that nonce can never be valid again.
 */
export async function includeOperations(
  { db, chainId }: ChainDatabase,
  {
    bundleHash,
    done,
  }: {
    readonly bundleHash: Hex
    readonly done: readonly Done[]
  },
): Promise<void> {
  if (done.length === 0) return
  const events = sql`unnest(${done.map(({ hash }) => hash)}::text[],
    ${done.map(({ sender }) => sender.toLowerCase())}::text[],
    ${done.map(({ nonce }) => String(nonce))}::text[],
    ${done.map(({ paidGas }) => paidGas?.toString() ?? null)}::text[]::numeric[]) as d(hash, sender, nonce, paid_gas)`
  await db.transaction().execute(async (transaction) => {
    await sql`update user_operations as o set status = 'included', bundle_hash = ${bundleHash}, paid_gas = d.paid_gas,
        reason = null, changed_at = now() from ${events}
      where o.chain_id = ${chainId} and o.sender = d.sender and o.nonce = d.nonce
      and (o.hash = d.hash or (o.status in ('pending', 'sent') and not exists (
        select from user_operations as k where k.chain_id = ${chainId} and k.hash = d.hash)))`.execute(
      transaction,
    )
    await sql`update user_operations as o set status = 'dropped', bundle_hash = null,
        reason = 'replaced', changed_at = now() from ${events}
      where o.chain_id = ${chainId} and o.sender = d.sender and o.nonce = d.nonce
      and o.status in ('pending', 'sent')`.execute(transaction)
  })
}

/** Stores how operations ended. */
export async function markOperations(
  { db, chainId }: ChainDatabase,
  hashes: readonly Hex[],
  to: { status: 'included' | 'dropped'; bundleHash?: Hex; reason?: string },
): Promise<void> {
  if (hashes.length === 0) return
  await db
    .updateTable('user_operations')
    .set({
      status: to.status,
      bundle_hash: to.bundleHash ?? null,
      reason: to.reason ?? null,
      changed_at: sql`now()`,
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
  together: number | null
  valid_until: string | null
  code: unknown
}

/** The operation of a row of the database. */
export const toOperation = (row: Row): StoredOperation => ({
  hash: row.hash as Hex,
  operation: userOperation.parse(row.operation),
  status: row.status,
  bundleHash: (row.bundle_hash ?? undefined) as Hex | undefined,
  reason: row.reason ?? undefined,
  tries: row.tries,
  together: row.together ?? undefined,
  until: row.valid_until === null ? undefined : Number(row.valid_until),
  code: seenCode.safeParse(row.code).data,
})
