import { sql } from 'kysely'
import { bytesToHex, type Hex, hexToBytes } from '../../evm/hex.ts'
import type { BlockRange, ChainBlock, ReadonlyUnreadBlocks } from '../nodes/chainData.ts'
import { notify } from '../pgNotify.ts'
import { type Lease, writeAsHolder } from './lease.ts'
import { storeTransactions } from './storeTransactions.ts'
import { storeUnread } from './storeUnread.ts'

type RecentBlock = Pick<ChainBlock, 'hash' | 'minedMs'>

/**
 * The progress of a chain, the same in the leader's memory and in the database. `kept`: the latest
 * blocks by number.
 */
export type ChainState = {
  generation: bigint
  genesis: Hex | undefined
  head: number | undefined
  recentBlocks: Map<number, RecentBlock>
}

/** How many of the latest blocks are stored. A deeper reorganization starts the chain again. */
const maxRecentBlocks = 256

/** Reads the progress of a chain. */
export async function loadState({ db, chainId }: Lease): Promise<ChainState> {
  const chain = await db
    .selectFrom('activity_chains')
    .select(['generation', 'genesis', 'head'])
    .where('chain_id', '=', chainId)
    .executeTakeFirstOrThrow()
  const blocks = await db
    .selectFrom('activity_blocks')
    .select(['number', 'hash', 'mined_ms'])
    .where('chain_id', '=', chainId)
    .execute()
  return {
    generation: chain.generation,
    genesis: chain.genesis === null ? undefined : bytesToHex(chain.genesis),
    head: chain.head === null ? undefined : Number(chain.head),
    recentBlocks: new Map(
      blocks.map(({ number, hash, mined_ms }) => [
        Number(number),
        { hash: bytesToHex(hash), minedMs: Number(mined_ms) },
      ]),
    ),
  }
}

/**
 * Blocks that are now the latest, the last one the head; `rows` of `accounts` in them, or none if
 * blocks are skipped.
 */
export type Advance = {
  readonly blocks: readonly ChainBlock[]
  readonly accounts: ReadonlyMap<Hex, number>
  readonly transactions: BlockRange['transactions'] | 'leapt'
  /** The parts of the blocks that could not be read. */
  readonly unread?: ReadonlyUnreadBlocks
  readonly genesis?: Hex | undefined
}

/**
 * Makes the last of `blocks` the head, with the rows in them. Skipped blocks are left to do for
 * every live account.
 */
export async function advance(lease: Lease, state: ChainState, step: Advance): Promise<number> {
  const { blocks, accounts, transactions } = step
  const head = blocks.at(-1)
  if (head === undefined) return 0
  const count = await writeAsHolder(lease, state.generation, async (transaction) => {
    if (transactions === 'leapt' && state.head !== undefined)
      await sql`update activity_accounts
        set todo = todo + int8multirange(int8range(${state.head + 1}, ${head.number}, '[]')),
          seen_to = case when todo = '{}' then ${state.head} else seen_to end,
          since_ms = ${head.minedMs}
        where chain_id = ${lease.chainId} and live`.execute(transaction)
    const rows = transactions === 'leapt' ? [] : transactions
    const changed = await storeTransactions(transaction, accounts, rows)
    if (step.unread) await storeUnread(transaction, accounts, { blocks, unread: step.unread })
    await sql`insert into activity_blocks (chain_id, number, hash, mined_ms)
      select ${lease.chainId}, * from unnest(
        ${blocks.map(({ number }) => number)}::int8[],
        ${blocks.map(({ hash }) => hexToBytes(hash))}::bytea[],
        ${blocks.map(({ minedMs }) => minedMs)}::int8[])
      on conflict (chain_id, number) do update
      set hash = excluded.hash, mined_ms = excluded.mined_ms`.execute(transaction)
    await sql`delete from activity_blocks where chain_id = ${lease.chainId}
      and number <= ${head.number - maxRecentBlocks}`.execute(transaction)
    await sql`update activity_chains set head = ${head.number}, head_ms = ${head.minedMs},
      genesis = coalesce(${step.genesis ? hexToBytes(step.genesis) : null}, genesis)
      where chain_id = ${lease.chainId}`.execute(transaction)
    await notify(transaction, { type: 'changed', chainId: lease.chainId }, changed)
    await notify(transaction, { type: 'sync', chainId: lease.chainId }, step.unread?.keys() ?? [])
    return rows.length
  })
  for (const block of blocks) state.recentBlocks.set(block.number, block)
  for (const number of state.recentBlocks.keys())
    if (number <= head.number - maxRecentBlocks) state.recentBlocks.delete(number)
  state.head = head.number
  state.genesis = step.genesis ?? state.genesis
  return count
}

/** Deletes everything above block `ancestor`, which must be in `kept`. */
export async function rollBack(lease: Lease, state: ChainState, ancestor: number): Promise<void> {
  const minedMs = state.recentBlocks.get(ancestor)?.minedMs ?? 0
  const { chainId } = lease
  await writeAsHolder(lease, state.generation, async (transaction) => {
    const { rows } = await sql<{ address: Buffer }>`
      with gone as (
        delete from activity_rows r using activity_accounts a
        where a.chain_id = ${chainId} and r.account_id = a.id
          and r.mined_ms >= ${minedMs} and r.block > ${ancestor}
        returning a.address
      ) select distinct address from gone`.execute(transaction)
    for (const table of ['activity_transfers', 'activity_approvals'])
      await sql`delete from ${sql.table(table)} t using activity_accounts a
        where a.chain_id = ${chainId} and t.account_id = a.id and t.block > ${ancestor}`.execute(
        transaction,
      )
    // Not `least`: for an account that was just requested, `seen_to` is null and must stay so.
    await sql`update activity_accounts set
        todo = todo * int8multirange(int8range(null, ${ancestor}, '[]')),
        unread = unread * int8multirange(int8range(null, ${ancestor}, '[]')),
        weighed = weighed * int8multirange(int8range(null, ${ancestor}, '[]')),
        balance = case when balance_block <= ${ancestor} then balance end,
        balance_block = case when balance_block <= ${ancestor} then balance_block end,
        seen_to = case when seen_to > ${ancestor} then ${ancestor} else seen_to end
      where chain_id = ${chainId}`.execute(transaction)
    await sql`delete from activity_blocks where chain_id = ${chainId}
      and number > ${ancestor}`.execute(transaction)
    await sql`update activity_chains set head = ${ancestor}, head_ms = ${minedMs},
      generation = generation + 1 where chain_id = ${chainId}`.execute(transaction)
    const changed = rows.map(({ address }) => bytesToHex(address))
    await notify(transaction, { type: 'changed', chainId }, changed)
  })
  for (const number of state.recentBlocks.keys())
    if (number > ancestor) state.recentBlocks.delete(number)
  state.head = ancestor
  state.generation += 1n
}

/**
 * Deletes everything stored of a chain, because it is a different chain now. The followed accounts
 * stay.
 */
export async function resetChain(lease: Lease, state: ChainState): Promise<void> {
  const { chainId } = lease
  await writeAsHolder(lease, state.generation, async (transaction) => {
    const { rows } = await sql<{ address: Buffer }>`update activity_accounts
      set live = false, first_block = null, seen_to = null, todo = '{}', since_ms = null,
        bottom_ms = null, unread = '{}', unread_ms = null, unread_at = null, unread_tries = 0,
        weighed = '{}', balance = null, balance_block = null
      where chain_id = ${chainId} returning address`.execute(transaction)
    for (const table of ['activity_rows', 'activity_transfers', 'activity_approvals'])
      await sql`delete from ${sql.table(table)} x using activity_accounts a
        where a.chain_id = ${chainId} and x.account_id = a.id`.execute(transaction)
    await sql`delete from activity_blocks where chain_id = ${chainId}`.execute(transaction)
    await sql`update activity_chains set head = null, head_ms = null, genesis = null,
      generation = generation + 1 where chain_id = ${chainId}`.execute(transaction)
    const changed = rows.map(({ address }) => bytesToHex(address))
    await notify(transaction, { type: 'changed', chainId }, changed)
  })
  state.recentBlocks.clear()
  state.head = undefined
  state.genesis = undefined
  state.generation += 1n
}
