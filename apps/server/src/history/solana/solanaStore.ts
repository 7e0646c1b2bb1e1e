import type { ChainId } from '@latchkey/wire'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { SolanaFacts } from './parseTransaction.ts'
import type { SignatureEntry } from './readSignatures.ts'
import type { SolanaPosition } from './solanaCursor.ts'

type Db = Kysely<Database>

/** How far one list of signatures of an account is read. */
export type SignatureList = {
  readonly address: string
  /** The newest known final signature. */
  readonly newest: string | undefined
  /**
   * The last signature that was read, from which the list continues; undefined before the first
   * read.
   */
  readonly oldest: { readonly signature: string; readonly slot: bigint } | undefined
  readonly isComplete: boolean
}

export type StoredAccount = {
  readonly id: number
  readonly refreshedAtMs: number | undefined
  /**
   * The slot down to which every list is read, not including it; undefined when all are read to
   * their end.
   */
  readonly horizon: bigint | undefined
}

/** The row of an account. Created if missing. */
export async function openAccount(
  db: Db,
  { chainId, owner }: { readonly chainId: ChainId; readonly owner: string },
): Promise<StoredAccount> {
  const find = () =>
    db
      .selectFrom('solana_accounts')
      .select((row) => [
        'id',
        'refreshed_at',
        row
          .selectFrom('solana_lists')
          .select((list) => list.fn.max('oldest_slot').as('slot'))
          .whereRef('account_id', '=', 'solana_accounts.id')
          .where('complete', '=', false)
          .as('horizon'),
      ])
      .where('chain_id', '=', chainId)
      .where('address', '=', owner)
      .executeTakeFirst()
  let found = await find()
  if (found === undefined) {
    await db
      .insertInto('solana_accounts')
      .values({ chain_id: chainId, address: owner })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    found = await find()
  }
  if (found === undefined) throw new Error('The account was not stored')
  const { id, refreshed_at: refreshedAt, horizon } = found
  return { id, refreshedAtMs: refreshedAt?.getTime(), horizon: horizon ?? undefined }
}

/** Marks an account so that its newest transactions are read again. */
export async function expireAccount(
  db: Db,
  { chainId, owner }: { readonly chainId: ChainId; readonly owner: string },
): Promise<void> {
  await db
    .updateTable('solana_accounts')
    .set({ refreshed_at: new Date(0) })
    .where('chain_id', '=', chainId)
    .where('address', '=', owner)
    .where('refreshed_at', 'is not', null)
    .execute()
}

export async function loadLists(db: Db, accountId: number): Promise<SignatureList[]> {
  const rows = await db
    .selectFrom('solana_lists')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('address')
    .execute()
  return rows.map(({ address, newest, oldest, oldest_slot: slot, complete }) => ({
    address,
    newest: newest ?? undefined,
    oldest: oldest === null || slot === null ? undefined : { signature: oldest, slot },
    isComplete: complete,
  }))
}

/** The number of slots after which entries are no longer rolled back. */
const rollBackSlots = 300

type Progress = {
  readonly accountId: number
  readonly lists: readonly SignatureList[]
  readonly entries: readonly SignatureEntry[]
  /** When the newest entries were read; absent if older entries were read. */
  readonly refreshedAt?: Date
}

/**
 * Stores the progress of an account's lists in one transaction. With `refreshedAt`, entries that
 * were not final and are no longer in the lists have been rolled back.
 */
export async function storeProgress(db: Db, progress: Progress): Promise<void> {
  const { accountId, lists, refreshedAt } = progress
  const entries = [...new Map(progress.entries.map((one) => [one.signature, one])).values()]
  await db.transaction().execute(async (trx) => {
    // One process at a time: two processes that store do so in the order in which they finish.
    const account = await trx
      .selectFrom('solana_accounts')
      .select('id')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirst()
    // It was deleted to make room.
    if (account === undefined) return
    if (entries.length > 0)
      await sql`
        insert into solana_transactions (account_id, slot, signature, mined_ms, failed, final)
          select ${accountId}::int4, * from unnest(
            ${entries.map(({ slot }) => slot)}::int8[],
            ${entries.map(({ signature }) => signature)}::text[],
            ${entries.map(({ minedAtMs }) => minedAtMs)}::int8[],
            ${entries.map(({ failed }) => failed)}::bool[],
            ${entries.map(({ final }) => final)}::bool[])
          on conflict (account_id, slot, signature) do update
            set failed = excluded.failed, final = solana_transactions.final or excluded.final`.execute(
        trx,
      )
    await storeLists(trx, accountId, lists)
    if (refreshedAt === undefined) return
    await sql`
      delete from solana_transactions where account_id = ${accountId} and not final
        and slot > (select max(slot) - ${rollBackSlots}::int8 from solana_transactions
          where account_id = ${accountId})
        and signature <> all(${entries.map(({ signature }) => signature)}::text[])`.execute(trx)
    await trx
      .updateTable('solana_accounts')
      .set({ refreshed_at: refreshedAt })
      .where('id', '=', accountId)
      .execute()
  })
}

async function storeLists(trx: Db, accountId: number, lists: readonly SignatureList[]) {
  await sql`
    insert into solana_lists (account_id, address, newest, oldest, oldest_slot, complete)
      select ${accountId}::int4, * from unnest(
        ${lists.map(({ address }) => address)}::text[],
        ${lists.map(({ newest }) => newest ?? null)}::text[],
        ${lists.map(({ oldest }) => oldest?.signature ?? null)}::text[],
        ${lists.map(({ oldest }) => oldest?.slot ?? null)}::int8[],
        ${lists.map(({ isComplete }) => isComplete)}::bool[])
      on conflict (account_id, address) do update set newest = excluded.newest,
        oldest = excluded.oldest, oldest_slot = excluded.oldest_slot, complete = excluded.complete`.execute(
    trx,
  )
}

/** A transaction of an account; `facts` is absent until it was read. */
export type StoredTransaction = SolanaPosition & {
  readonly minedAtMs: number
  readonly failed: boolean
  readonly facts: SolanaFacts | undefined
}

type Range = {
  readonly accountId: number
  readonly after: SolanaPosition | undefined
  /** Slots up to and including `above` are left out. */
  readonly above: bigint | undefined
  readonly limit: number
}

/** Transactions after a place, the newest first. */
export async function loadTransactions(
  db: Db,
  { accountId, after, above, limit }: Range,
): Promise<StoredTransaction[]> {
  let query = db
    .selectFrom('solana_transactions')
    .select(['slot', 'signature', 'mined_ms', 'failed', 'facts'])
    .where('account_id', '=', accountId)
  if (above !== undefined) query = query.where('slot', '>', above)
  if (after !== undefined)
    query = query.where(sql<boolean>`(slot, signature) < (${after.slot}::int8, ${after.signature})`)
  const rows = await query
    .orderBy('slot', 'desc')
    .orderBy('signature', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ slot, signature, mined_ms, failed, facts }) => ({
    slot,
    signature,
    minedAtMs: Number(mined_ms),
    failed,
    facts: facts ?? undefined,
  }))
}

/** Stores the facts of transactions. */
export async function storeFacts(
  db: Db,
  accountId: number,
  found: ReadonlyMap<string, SolanaFacts>,
): Promise<void> {
  if (found.size === 0) return
  await sql`
    update solana_transactions t set facts = read.facts::jsonb
      from unnest(${[...found.keys()]}::text[],
        ${[...found.values()].map((facts) => JSON.stringify(facts))}::text[]) as read(signature, facts)
      where t.account_id = ${accountId} and t.signature = read.signature`.execute(db)
}
