import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { bytesToHex, type Hex } from '../../evm/hex.ts'
import type { ChainBlock, ChainTransaction, ReadonlyUnreadBlocks } from '../nodes/chainData.ts'
import { notify } from '../pgNotify.ts'
import type { ChainState } from './chainState.ts'
import { type Lease, writeAsHolder } from './lease.ts'
import { standingHours } from './noteRequests.ts'
import { storeTransactions } from './storeTransactions.ts'
import { storeUnread } from './storeUnread.ts'

/** The accounts that a chain is followed for. */
export type FollowedAccounts = {
  /** Ids by address. */
  readonly accounts: ReadonlyMap<Hex, number>
  /** Whether any of them has a listener now. */
  readonly watched: boolean
}

/** How many accounts are followed, and from which block on. */
export type FollowLimits = {
  /** An account is no longer followed after this time without a request. */
  readonly followSeconds: number
  /**
   * The maximum number of accounts of a chain; the best established accounts are kept, and among
   * these the most recently requested.
   */
  readonly maxAccounts: number
  firstBlock(head: number): number
  /** Changes of a native balance that are smaller make no row by themselves. */
  readonly dustWei: bigint
}

/**
 * How well established an account is now. Accounts that are less established cannot push it out of
 * the list.
 */
const getStanding = sql`case when stood_at > now() - make_interval(hours => ${standingHours})
  then standing else 0 end`

/** How long a listener counts without renewing. */
const watchedSeconds = 45

/** The chains of accounts that were requested recently. */
export async function readRequestedChains(
  db: Kysely<Database>,
  { followSeconds }: Pick<FollowLimits, 'followSeconds'>,
): Promise<string[]> {
  const { rows } = await sql<{ chain_id: string }>`
    select distinct chain_id from activity_accounts
    where asked_at > now() - make_interval(secs => ${followSeconds})`.execute(db)
  return rows.map(({ chain_id }) => chain_id)
}

/**
 * Updates the followed accounts from the requests: new accounts have all older blocks to read,
 * others only their gap.
 */
export async function refreshAccounts(
  lease: Lease,
  state: ChainState,
  limits: FollowLimits,
): Promise<FollowedAccounts> {
  const { chainId } = lease
  const head = state.head ?? 0
  const headMs = state.recentBlocks.get(head)?.minedMs ?? null
  return writeAsHolder(lease, state.generation, async (transaction) => {
    const { rows } = await sql<{ id: number; address: Buffer; live: boolean; watched: boolean }>`
      select id, address, live,
        watched_at > now() - make_interval(secs => ${watchedSeconds}) as watched
      from activity_accounts where chain_id = ${chainId}
        and asked_at > now() - make_interval(secs => ${limits.followSeconds})
      order by ${getStanding} desc, asked_at desc limit ${limits.maxAccounts}`.execute(transaction)
    const ids = rows.map(({ id }) => id)
    await sql`update activity_accounts set live = false, seen_to = ${head}
      where chain_id = ${chainId} and live and id <> all(${ids}::int4[])`.execute(transaction)
    const fresh = rows.filter(({ live }) => !live)
    if (fresh.length > 0)
      await sql`update activity_accounts set live = true, since_ms = ${headMs},
          first_block = coalesce(first_block, ${limits.firstBlock(head)}::int8),
          todo = todo + int8multirange(int8range(
            least(coalesce(seen_to + 1, first_block, ${limits.firstBlock(head)}::int8), ${head + 1}),
            ${head + 1}))
        where id = any(${fresh.map(({ id }) => id)}::int4[])`.execute(transaction)
    // Accounts without work left would otherwise not be reported.
    const back = fresh.map(({ address }) => bytesToHex(address))
    await notify(transaction, { type: 'sync', chainId }, back)
    return {
      accounts: new Map(rows.map(({ id, address }) => [bytesToHex(address), id])),
      watched: rows.some(({ watched }) => watched),
    }
  })
}

/** A range of blocks that still has to be searched for some accounts. */
export type BackfillTask = {
  readonly from: number
  readonly to: number
  readonly accounts: ReadonlyMap<Hex, number>
}

/** The maximum in one scan: nodes refuse longer lists of topics. */
const maxAccountsPerTask = 200

/**
 * The next task: at most `size` blocks, without `busy` ranges; undefined if nothing is left.
 * `newest`: the account with the newest unread blocks; `oldest`: the account read furthest back.
 * The two alternate, so that no account waits for all later requests. Accounts that are better
 * established come first.
 */
export async function nextTask(
  { db, chainId }: Lease,
  parameters: {
    readonly order: 'newest' | 'oldest'
    readonly size: number
    readonly busy: Iterable<Pick<BackfillTask, 'from' | 'to'>>
  },
): Promise<BackfillTask | undefined> {
  const { order, size } = parameters
  const busy = `{${[...parameters.busy].map(({ from, to }) => `[${from},${to}]`).join(',')}}`
  const pick = order === 'newest' ? sql`max(upper(todo))` : sql`min(upper(todo))`
  const { rows } = await sql<{ id: number; address: Buffer; from: bigint; to: bigint }>`
    with waiting as (
      select id, address, todo - ${busy}::int8multirange as todo, ${getStanding} as standing
      from activity_accounts where chain_id = ${chainId} and live and todo <> '{}'
    ), first as (
      select * from waiting where todo <> '{}'
        and standing = (select max(standing) from waiting where todo <> '{}')
    ), chosen as (
      select ${pick} as upper from first
    ), piece as (
      select chosen.upper, min(lower(part)) as lower
      from chosen, first, unnest(first.todo) part
      where upper(part) = chosen.upper group by 1
    ), range as (
      select greatest(lower, upper - ${size}::int8) as "from", upper as "to" from piece
    )
    select w.id, w.address, range."from", range."to" from range, waiting w
    where w.todo && int8range(range."from", range."to")
    order by w.standing desc, upper(w.todo) = range."to" desc, w.id limit ${maxAccountsPerTask}`.execute(
    db,
  )
  const [first] = rows
  if (first === undefined) return undefined
  return {
    from: Number(first.from),
    to: Number(first.to) - 1,
    accounts: new Map(rows.map(({ id, address }) => [bytesToHex(address), id])),
  }
}

/**
 * Stores what a task found and marks it as done. Listeners are notified of accounts with nothing
 * left to do and, with `notifyAll`, of all others. `unnotified` are accounts with findings that no
 * listener was notified of yet.
 */
export async function finishTask(
  lease: Lease,
  generation: bigint,
  done: {
    readonly task: BackfillTask
    /** The blocks of the task. */
    readonly blocks: readonly ChainBlock[]
    readonly transactions: readonly ChainTransaction[]
    readonly unread: ReadonlyUnreadBlocks
    readonly notifyAll: boolean
    readonly unnotified: Set<Hex>
  },
): Promise<void> {
  const { task, blocks, transactions, notifyAll, unnotified } = done
  const oldestMs = blocks[0]?.minedMs ?? 0
  const { changed, news } = await writeAsHolder(lease, generation, async (transaction) => {
    // Rows and progress are in one transaction, so everything that a crash of the database loses is
    // searched again.
    await sql`set local synchronous_commit = off`.execute(transaction)
    const changed = await storeTransactions(transaction, task.accounts, transactions)
    await storeUnread(transaction, task.accounts, done)
    const ids = [...task.accounts.values()]
    const { rows } = await sql<{ address: Buffer; ready: boolean }>`update activity_accounts a set
        todo = rest.todo,
        since_ms = case when coalesce(upper(rest.todo) <= ${task.from}, true)
          then ${oldestMs}::int8 else a.since_ms end,
        bottom_ms = least(a.bottom_ms, ${oldestMs}::int8)
      from (select id, todo - int8multirange(int8range(${task.from}, ${task.to}, '[]')) as todo
        from activity_accounts where id = any(${ids}::int4[])) rest
      where a.id = rest.id
      returning a.address, a.todo = '{}' as ready`.execute(transaction)
    const ready = rows.filter(({ ready }) => ready).map(({ address }) => bytesToHex(address))
    const news = new Set(notifyAll ? [...ready, ...unnotified, ...changed] : ready)
    const { chainId } = lease
    await notify(transaction, { type: 'sync', chainId }, notifyAll ? task.accounts.keys() : ready)
    await notify(transaction, { type: 'changed', chainId }, news)
    return { changed, news }
  })
  for (const address of changed) unnotified.add(address)
  for (const address of news) unnotified.delete(address)
}
