import { type RawBuilder, sql } from 'kysely'
import type { UserOperation } from '../operations/userOperation.ts'
import type { ChainDatabase, NewOperation } from './operationStore.ts'
import { standing, type Trusted } from './standing.ts'

/** The most operations of one chain that wait. */
const maxPerChain = 5_000
/** An operation that displaces another operation pays at least a tenth more. */
const displacePercent = 110n

/**
 * The free places in the mempool of a chain. In a full mempool, a new operation displaces the
 * operation with the least claim.
 */
export type Room = {
  has(added: NewOperation): boolean
  /** Uses the room that `has` found. */
  take(): void
  /** The hashes of the operations that have to make room. */
  readonly displaced: readonly string[]
}

/**
 * The claim of an operation to its place: the standing of its sender and paymaster, and its current
 * payment above the base fee.
 */
type Claim = { readonly standing: number; readonly tip: bigint }

/**
 * Counts the waiting operations and, if the added operations do not all fit, finds the operations
 * with the least claim: first those whose account or paymaster pauses, then operations of accounts
 * without an operation in a block, then all others, each time the worst paying first.
 */
export async function openRoom(
  place: ChainDatabase & Trusted,
  added: readonly NewOperation[],
): Promise<Room> {
  const free = maxPerChain - (await countPending(place))
  const missing = added.length - free
  const baseFee = added.at(-1)?.baseFee ?? 0n
  const weakest = missing > 0 ? await listWeakest(place, { baseFee, limit: missing }) : []
  const standings = missing > 0 ? await readStandings(place, added) : new Map<string, number>()
  let used = 0
  return {
    has({ hash, operation }) {
      if (used < free) return true
      const victim = weakest[used - free]
      const own = { standing: standings.get(hash) ?? 0, tip: getTip(operation, baseFee) }
      return victim !== undefined && displaces(own, victim)
    },
    take() {
      used += 1
    },
    get displaced() {
      return weakest.slice(0, Math.max(0, used - free)).map(({ hash }) => hash)
    },
  }
}

function displaces(one: Claim, other: Claim): boolean {
  if (one.standing !== other.standing) return one.standing > other.standing
  return one.tip > 0n && one.tip * 100n >= other.tip * displacePercent
}

function getTip({ maxFeePerGas, maxPriorityFeePerGas }: UserOperation, baseFee: bigint): bigint {
  const left = maxFeePerGas - baseFee
  return left < maxPriorityFeePerGas ? left : maxPriorityFeePerGas
}

async function countPending({ db, chainId }: ChainDatabase): Promise<number> {
  const { count } = await db
    .selectFrom('user_operations')
    .select((all) => all.fn.countAll<string>().as('count'))
    .where('chain_id', '=', chainId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function listWeakest(
  { db, chainId, trustedPaymaster }: ChainDatabase & Trusted,
  { baseFee, limit }: { readonly baseFee: bigint; readonly limit: number },
): Promise<(Claim & { readonly hash: string })[]> {
  const tip: RawBuilder<string> = sql`least(max_priority_fee::numeric,
    coalesce(max_fee::numeric, max_priority_fee::numeric) - ${String(baseFee)}::numeric)`
  const own = standing('o', { trustedPaymaster })
  const rows = await db
    .selectFrom('user_operations as o')
    .select(['hash', own.as('standing'), sql<string>`${tip}::text`.as('tip')])
    .where('chain_id', '=', chainId)
    .where('status', '=', 'pending')
    .orderBy(own)
    .orderBy(tip)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ hash, standing, tip }) => ({ hash, standing, tip: BigInt(tip) }))
}

/** The standings of added operations by hash. */
async function readStandings(
  { db, chainId, trustedPaymaster }: ChainDatabase & Trusted,
  added: readonly NewOperation[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ hash: string; standing: number }>`
    select o.hash, ${standing('o', { trustedPaymaster })} as standing
    from (select ${chainId} as chain_id, *
      from unnest(${added.map(({ hash }) => hash)}::text[],
        ${added.map(({ operation }) => operation.sender)}::text[],
        ${added.map(({ operation }) => operation.paymaster ?? null)}::text[])
      as n(hash, sender, paymaster)) as o`.execute(db)
  return new Map(rows.map(({ hash, standing }) => [hash, standing]))
}

/**
 * Drops the operations that make room. If another transaction has just changed an operation, it
 * stays, and the mempool holds one more. The array is read once; `in (select)` would be read again
 * for each row if the table was empty when PostgreSQL last analyzed it.
 */
export async function dropDisplaced(
  { db, chainId }: ChainDatabase,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  await sql`update user_operations set status = 'dropped', reason = 'the mempool is full and others pay more', changed_at = now()
    where chain_id = ${chainId} and hash = any(array(select hash from user_operations
      where chain_id = ${chainId} and hash = any(${hashes}::text[]) and status = 'pending'
      for update skip locked))`.execute(db)
}
