import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { bytesToHex, type Hex } from '../../evm/hex.ts'
import { isNodeFault } from '../nodes/askNode.ts'
import type { BlockRange } from '../nodes/chainData.ts'
import { readRange } from '../nodes/readRange.ts'
import { notify } from '../pgNotify.ts'
import { matchesHead } from './backfill.ts'
import type { LeaderState } from './followHead.ts'
import { writeAsHolder } from './lease.ts'
import { replaceBlocks } from './replaceBlocks.ts'
import { retrySeconds, toMultirange } from './storeUnread.ts'

type Task = {
  readonly id: number
  readonly address: Hex
  readonly from: number
  readonly to: number
}

/**
 * The maximum number of blocks per attempt. After a failure, every second attempt reads only one
 * block.
 */
const maxBlocks = 32
const longestPauseSeconds = 6 * 3_600
const none: ReadonlySet<Hex> = new Set()

/**
 * Reads again some blocks that could not be read for an account, for that account alone; `done` if
 * no block is due. After a failure the account waits longer each time. Throws Superseded.
 */
export async function retryUnread(leader: LeaderState): Promise<'done' | 'more'> {
  const { generation } = leader.state
  const task = await nextTask(leader)
  if (task === undefined) return 'done'
  const range = await readTask(leader, task).catch((error: unknown) => {
    if (!isNodeFault(error)) throw error
    return undefined
  })
  if (range === undefined) await postpone(leader, generation, task)
  else await finish(leader, generation, { task, range })
  return 'more'
}

/** Takes a random part, so that blocks that fail every time do not keep the others waiting. */
async function nextTask({ lease: { db, chainId } }: LeaderState): Promise<Task | undefined> {
  const { rows } = await sql<{
    id: number
    address: Buffer
    tries: number
    lower: bigint
    upper: bigint
  }>`with due as (
      select id, address, unread, unread_tries from activity_accounts
      where chain_id = ${chainId} and live and unread <> '{}' and unread_at <= now()
      order by unread_at limit 1
    )
    select id, address, unread_tries as tries, lower(part) as lower, upper(part) as upper
    from due, unnest(due.unread) part order by random() limit 1`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const size = row.tries % 2 === 0 ? maxBlocks : 1
  const [lower, upper] = [Number(row.lower), Number(row.upper)]
  const last = Math.max(lower, upper - size)
  const from = lower + randomInt(last - lower + 1)
  const to = Math.min(upper, from + size) - 1
  return { id: row.id, address: bytesToHex(row.address), from, to }
}

async function readTask(leader: LeaderState, { address, from, to }: Task) {
  const { node, paces } = leader
  const range = await readRange(node, {
    ...{ from, to, addresses: new Set([address]), setAside: none },
    // Small answers for one account do not predict the size of answers for all accounts.
    paces: { ...paces },
  })
  return matchesHead(leader, range) && range.blocks.length > 0 ? range : undefined
}

/** Replaces the stored rows of the blocks by their full contents. */
async function finish(
  { lease, counters }: LeaderState,
  generation: bigint,
  { task, range }: { readonly task: Task; readonly range: BlockRange },
): Promise<void> {
  const { id, address, from } = task
  const { blocks, transactions } = range
  const to = from + blocks.length - 1
  const left = range.unread.get(address) ?? new Set()
  const isStuck = left.size === blocks.length
  await writeAsHolder(lease, generation, async (transaction) => {
    await replaceBlocks(transaction, task, range)
    await sql`update activity_accounts set
        unread = unread - int8multirange(int8range(${from}, ${to}, '[]'))
          + ${toMultirange(left)}::int8multirange,
        unread_tries = case when ${isStuck} then unread_tries else 0 end,
        unread_at = case when ${left.size > 0} then unread_at else now() end
      where id = ${id}`.execute(transaction)
    if (left.size > 0) await delay(transaction, id)
    await sql`update activity_accounts set unread_at = null, unread_ms = null, unread_tries = 0
      where id = ${id} and unread = '{}'`.execute(transaction)
    await notify(transaction, { type: 'sync', chainId: lease.chainId }, [address])
    await notify(transaction, { type: 'changed', chainId: lease.chainId }, [address])
  })
  counters.rows(transactions.length)
}

const postpone = ({ lease }: LeaderState, generation: bigint, { id }: Task) =>
  writeAsHolder(lease, generation, (transaction) => delay(transaction, id))

type Writer = Parameters<Parameters<typeof writeAsHolder>[2]>[0]

const delay = (transaction: Writer, id: number) =>
  sql`update activity_accounts set unread_tries = unread_tries + 1,
      unread_at = now() + make_interval(secs =>
        least(${longestPauseSeconds}, ${retrySeconds} * power(2, least(unread_tries, 20))))
    where id = ${id}`.execute(transaction)
