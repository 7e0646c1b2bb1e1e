import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Database } from '../../db/database.ts'

/** A process that may send bundles for a chain. `holder`: a UUID of this process alone. */
export type BundlerLease = {
  readonly db: Kysely<Database>
  readonly chainId: ChainId
  readonly holder: string
}

/** A signed transaction with operations in it. */
export type Bundle = { readonly hash: Hex; readonly raw: Hex; readonly nonce: number }

const leaseSeconds = 4
const keptDays = 7

/** Takes the lease, or keeps it. False while another process has it. */
export async function takeBundlerLease({ db, chainId, holder }: BundlerLease): Promise<boolean> {
  const { rows } = await sql`
    insert into bundler_leases as l (chain_id, holder, held_until)
    values (${chainId}, ${holder}, now() + make_interval(secs => ${leaseSeconds}))
    on conflict (chain_id) do update set holder = excluded.holder, held_until = excluded.held_until
    where l.holder = excluded.holder or l.held_until < now()
    returning 1`.execute(db)
  return rows.length > 0
}

/** Gives up the lease, so that another process can take it at once. */
export async function releaseBundlerLease({ db, chainId, holder }: BundlerLease): Promise<void> {
  await sql`update bundler_leases set held_until = 'epoch'
    where chain_id = ${chainId} and holder = ${holder}`.execute(db)
}

/**
 * Writes a signed bundle before it is sent; one that only ends delegations has no operations. False where the lease is lost or an
 * operation no longer waits.
 */
export async function keepBundle(
  { db, chainId, holder }: BundlerLease,
  { bundle, operations }: { readonly bundle: Bundle; readonly operations: readonly Hex[] },
): Promise<boolean> {
  return db
    .transaction()
    .execute(async (transaction) => {
      if (!(await holdsLease({ db: transaction, chainId, holder }))) return false
      const { numUpdatedRows } = await transaction
        .updateTable('user_operations')
        .set({ status: 'sent', bundle_hash: bundle.hash, changed_at: sql`now()` })
        .where('chain_id', '=', chainId)
        .where('hash', '=', sql<string>`any(${operations}::text[])`)
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow()
      // One was replaced in this very moment.
      if (Number(numUpdatedRows) !== operations.length) throw new Replaced()
      await transaction
        .insertInto('user_operation_bundles')
        .values({ chain_id: chainId, hash: bundle.hash, raw: bundle.raw, nonce: bundle.nonce })
        .execute()
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof Replaced) return false
      throw error
    })
}

class Replaced extends Error {}

/** Whether this process still has the lease, which nobody takes until the transaction ends. */
async function holdsLease({ db, chainId, holder }: BundlerLease): Promise<boolean> {
  const { rows } = await sql`select 1 from bundler_leases
    where chain_id = ${chainId} and holder = ${holder} and held_until > now() for update`.execute(
    db,
  )
  return rows.length > 0
}

/** Transactions of one nonce, of which one will be mined: the last one pays the most. `ageMs`: of the last. */
export type OpenBundle = {
  readonly versions: readonly Bundle[]
  readonly operations: readonly Hex[]
  readonly ageMs: number
}

type Place = Pick<BundlerLease, 'db' | 'chainId'>

/** Bundles whose end is not known, the oldest first, each with its operations. */
export async function listOpenBundles({ db, chainId }: Place): Promise<OpenBundle[]> {
  const bundles = await db
    .selectFrom('user_operation_bundles')
    .select(['hash', 'raw', 'nonce'])
    .select(sql<number>`extract(epoch from now() - created_at)::float8 * 1000`.as('age'))
    .where('chain_id', '=', chainId)
    .where('settled', '=', false)
    .orderBy('nonce')
    .orderBy('created_at')
    .execute()
  if (bundles.length === 0) return []
  const operations = await db
    .selectFrom('user_operations')
    .select(['hash', 'bundle_hash'])
    .where('chain_id', '=', chainId)
    .where('status', '=', 'sent')
    .execute()
  return [...new Set(bundles.map(({ nonce }) => nonce))].map((nonce) => {
    const own = bundles.filter((one) => one.nonce === nonce)
    const hashes = new Set(own.map(({ hash }) => hash))
    return {
      versions: own.map(({ hash, raw }) => ({ hash: hash as Hex, raw: raw as Hex, nonce })),
      operations: operations.flatMap((one) =>
        one.bundle_hash !== null && hashes.has(one.bundle_hash) ? [one.hash as Hex] : [],
      ),
      ageMs: own.at(-1)?.age ?? 0,
    }
  })
}

/** Whether an operation waits on the chain, or a bundle's end is not known. It changes nothing and takes no lease. */
export async function hasBundlerWork({ db, chainId }: Place): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select from user_operations where chain_id = ${chainId} and status = 'pending')
    or exists (select from user_operation_bundles where chain_id = ${chainId} and not settled)`.execute(
    db,
  )
  return rows.length > 0
}

/** Writes a version that pays more before it is sent. False where the lease is lost. */
export async function keepVersion(
  lease: BundlerLease,
  { bundle, operations }: { readonly bundle: Bundle; readonly operations: readonly Hex[] },
): Promise<boolean> {
  const { db, chainId } = lease
  return db.transaction().execute(async (transaction) => {
    if (!(await holdsLease({ ...lease, db: transaction }))) return false
    const { hash, raw, nonce } = bundle
    await transaction
      .insertInto('user_operation_bundles')
      .values({ chain_id: chainId, hash, raw, nonce })
      .execute()
    await transaction
      .updateTable('user_operations')
      .set({ bundle_hash: hash, changed_at: sql`now()` })
      .where('chain_id', '=', chainId)
      .where('status', '=', 'sent')
      .where('hash', '=', sql<string>`any(${operations}::text[])`)
      .execute()
    return true
  })
}

/** The end of a bundle is known: the version `hash` is in a block, or none. */
export async function settleBundle(
  { db, chainId }: Place,
  {
    versions,
    mined,
  }: {
    readonly versions: readonly Bundle[]
    readonly mined?: { readonly hash: Hex; readonly block: bigint }
  },
): Promise<void> {
  const hashes = versions.map(({ hash }) => hash)
  await sql`update user_operation_bundles
    set settled = true, block_number = case when hash = ${mined?.hash ?? ''} then ${mined ? String(mined.block) : null}::bigint end
    where chain_id = ${chainId} and hash = any(${hashes}::text[])`.execute(db)
}

/** Forgets what ended a week ago. */
export async function sweepBundler(db: Kysely<Database>): Promise<void> {
  const old = sql<Date>`now() - make_interval(days => ${keptDays})`
  await db
    .deleteFrom('user_operations')
    .where('status', 'in', ['included', 'dropped'])
    .where('changed_at', '<', old)
    .execute()
  await db
    .deleteFrom('user_operation_bundles')
    .where('settled', '=', true)
    .where('created_at', '<', old)
    .execute()
  await sql`delete from sponsorships where day < (now() at time zone 'utc')::date`.execute(db)
  await sql`delete from sponsored_days where day < (now() at time zone 'utc')::date - ${keptDays}::int`.execute(
    db,
  )
}
