import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Database } from '../../db/database.ts'
import type { ChainDatabase } from '../mempool/operationStore.ts'

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
/** How long an operation may wait, for fees that it pays for example. */
const waitHours = 24

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
 * Writes a signed bundle before it is sent. A bundle that only ends delegations has no operations.
 * False if the lease is lost or an operation no longer waits.
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
      // An operation was replaced at the same time.
      if (Number(numUpdatedRows) !== operations.length) throw new Replaced()
      await writeBundle({ db: transaction, chainId }, bundle)
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof Replaced) return false
      throw error
    })
}

class Replaced extends Error {}

/** Writes a bundle. If a refused bundle is built again byte for byte, it is open again. */
async function writeBundle(
  { db, chainId }: ChainDatabase,
  { hash, raw, nonce }: Bundle,
): Promise<void> {
  const again = { settled: false, failures: 0, created_at: sql<Date>`now()` }
  await db
    .insertInto('user_operation_bundles')
    .values({ chain_id: chainId, hash, raw, nonce })
    .onConflict((conflict) => conflict.columns(['chain_id', 'hash']).doUpdateSet(again))
    .execute()
}

/**
 * Whether this process still has the lease. No other process can take it until the transaction
 * ends.
 */
async function holdsLease({ db, chainId, holder }: BundlerLease): Promise<boolean> {
  const { rows } = await sql`select 1 from bundler_leases
    where chain_id = ${chainId} and holder = ${holder} and held_until > now() for update`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Transactions of one nonce, of which one will be mined: the last one pays the most. Versions may
 * carry different operations. `ageMs`: the age of the last version. `failures`: how often in a row
 * its state could not be determined. It is checked again once it `isDue`.
 */
export type OpenBundle = {
  readonly versions: readonly Bundle[]
  readonly operations: readonly { readonly hash: Hex; readonly version: Hex }[]
  readonly ageMs: number
  readonly failures: number
  readonly isDue: boolean
}

/** A bundle that has just been stored. */
export const toOpen = (bundle: Bundle, operations: readonly Hex[]): OpenBundle => ({
  versions: [bundle],
  operations: operations.map((hash) => ({ hash, version: bundle.hash })),
  ageMs: 0,
  failures: 0,
  isDue: true,
})

/** Bundles whose outcome is not known, the oldest first, each with its operations. */
export async function listOpenBundles({ db, chainId }: ChainDatabase): Promise<OpenBundle[]> {
  const bundles = await db
    .selectFrom('user_operation_bundles')
    .select(['hash', 'raw', 'nonce', 'failures'])
    .select(sql<boolean>`look_after <= now()`.as('due'))
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
        one.bundle_hash !== null && hashes.has(one.bundle_hash)
          ? [{ hash: one.hash as Hex, version: one.bundle_hash as Hex }]
          : [],
      ),
      ageMs: own.at(-1)?.age ?? 0,
      failures: own.at(-1)?.failures ?? 0,
      isDue: own.every(({ due }) => due),
    }
  })
}

/**
 * Whether an operation waits, or the outcome of a bundle is not known. Changes nothing and takes no
 * lease.
 */
export async function hasBundlerWork({ db, chainId }: ChainDatabase): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select from user_operations where chain_id = ${chainId} and status = 'pending')
    or exists (select from user_operation_bundles where chain_id = ${chainId} and not settled)`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Writes a version that pays more before it is sent; it contains the operations of the replaced
 * version. False if the lease is lost.
 */
export async function keepVersion(
  lease: BundlerLease,
  { bundle, replaced }: { readonly bundle: Bundle; readonly replaced: Hex },
): Promise<boolean> {
  const { db, chainId } = lease
  return db.transaction().execute(async (transaction) => {
    if (!(await holdsLease({ ...lease, db: transaction }))) return false
    await writeBundle({ db: transaction, chainId }, bundle)
    await transaction
      .updateTable('user_operations')
      .set({ bundle_hash: bundle.hash, changed_at: sql`now()` })
      .where('chain_id', '=', chainId)
      .where('status', '=', 'sent')
      .where('bundle_hash', '=', replaced)
      .execute()
    return true
  })
}

/**
 * Sets a bundle aside after a failure: the next check is a second later, then two, four, at most a
 * minute.
 */
export async function setAside(
  { db, chainId }: ChainDatabase,
  { versions }: Pick<OpenBundle, 'versions'>,
): Promise<void> {
  const hashes = versions.map(({ hash }) => hash)
  await sql`update user_operation_bundles set failures = failures + 1,
    look_after = now() + make_interval(secs => least(60, power(2, least(failures, 6))))
    where chain_id = ${chainId} and hash = any(${hashes}::text[])`.execute(db)
}

/** Settles the versions of a bundle: `mined` is in a block, the other versions never will be. */
export async function settleBundle(
  { db, chainId }: ChainDatabase,
  {
    versions,
    mined,
  }: {
    readonly versions: readonly Bundle[]
    readonly mined?: MinedVersion
  },
): Promise<void> {
  const hashes = versions.map(({ hash }) => hash)
  await db
    .updateTable('user_operation_bundles')
    .set({ settled: true, block_number: null, block_hash: null, lost_gas: null })
    .where('chain_id', '=', chainId)
    .where('hash', 'in', hashes)
    .execute()
  if (!mined) return
  const { block, blockHash, lostGas } = mined
  await db
    .updateTable('user_operation_bundles')
    .set({
      block_number: String(block),
      block_hash: blockHash,
      lost_gas: lostGas === undefined ? null : String(lostGas),
    })
    .where('chain_id', '=', chainId)
    .where('hash', '=', mined.hash)
    .execute()
}

/** A version that is in a block. `lostGas`: the gas that it used, if it reverted. */
export type MinedVersion = {
  readonly hash: Hex
  readonly block: bigint
  readonly blockHash: Hex
  readonly lostGas?: bigint
}

/** Drops operations that have waited for a day, and forgets what ended a week ago. */
export async function sweepBundler(db: Kysely<Database>): Promise<void> {
  await sql`update user_operations set status = 'dropped', reason = 'it waited for a day', changed_at = now()
    where status = 'pending' and created_at < now() - make_interval(hours => ${waitHours})`.execute(
    db,
  )
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
  await db.deleteFrom('bundle_offenders').where('blamed_at', '<', old).execute()
  await sql`delete from sponsorships where day < (now() at time zone 'utc')::date`.execute(db)
  await sql`delete from sponsored_days where day < (now() at time zone 'utc')::date - ${keptDays}::int`.execute(
    db,
  )
}
