import { unavailable } from '../nodes/askNode.ts'
import type { Hex, SeenRange } from '../nodes/chainData.ts'
import { readRange } from '../nodes/readRange.ts'
import { finishTask, nextTask, type Task } from './followedAccounts.ts'
import type { Follower } from './followHead.ts'

/**
 * Where a chain's backfill is between two steps. `size`: blocks of the next one; `busy`: what others of this process
 * look up at the moment; `untold`: of whom something was found that no listener has heard of.
 */
export type BackfillPace = {
  size: number
  order: 'newest' | 'oldest'
  toldAtMs: number
  readonly untold: Set<Hex>
  readonly busy: Set<Pick<Task, 'from' | 'to'>>
}

export const newBackfillPace = (): BackfillPace => ({
  size: 64,
  order: 'newest',
  toldAtMs: 0,
  untold: new Set(),
  busy: new Set(),
})

/** About so many transactions are read and committed at once. */
const transactionsPerStep = 4_000
const mostBlocks = 2_000
const tellEveryMs = 1_500

/** Looks up one part of what accounts have to do; `done` when there was nothing. Throws RPC_UNAVAILABLE, Superseded. */
export async function backfill(follower: Follower, pace: BackfillPace): Promise<'done' | 'more'> {
  const { generation } = follower.state
  const task = await nextTask(follower.lease, pace)
  if (task === undefined) return 'done'
  // Another may have chosen the same blocks at the same moment.
  if (isBusy(pace, task)) return 'more'
  pace.order = pace.order === 'newest' ? 'oldest' : 'newest'
  pace.busy.add(task)
  try {
    await look(follower, pace, { task, generation })
  } finally {
    pace.busy.delete(task)
  }
  return 'more'
}

const isBusy = ({ busy }: BackfillPace, { from, to }: Task) =>
  [...busy].some((other) => other.from <= to && from <= other.to)

async function look(
  follower: Follower,
  pace: BackfillPace,
  { task, generation }: { readonly task: Task; readonly generation: bigint },
): Promise<void> {
  const { lease, node, paces, counted, clock } = follower
  const { from, to, accounts } = task
  const addresses = new Set(accounts.keys())
  const range = await readRange(node, { from, to, addresses, paces }).catch((error: unknown) => {
    pace.size = Math.max(1, Math.floor(pace.size / 2))
    // A node that ran out of time is asked for less.
    paces.blocksPerBody = Math.max(1, Math.floor(paces.blocksPerBody / 2))
    throw error
  })
  const { blocks, transactions, transactionCount } = range
  const [oldest] = blocks
  if (oldest === undefined || !fits(follower, range)) throw unavailable(lease.chainId)
  const tells = clock() - pace.toldAtMs >= tellEveryMs
  if (tells) pace.toldAtMs = clock()
  const done = { from, to: from + blocks.length - 1, accounts }
  const { untold } = pace
  await finishTask(lease, generation, { task: done, oldest, transactions, tells, untold })
  counted.rows(transactions.length)
  const wanted = Math.floor((transactionsPerStep * blocks.length) / Math.max(transactionCount, 1))
  pace.size = Math.max(1, Math.min(mostBlocks, pace.size * 2, wanted))
}

/** A node on another branch than the head must not fill in what lies below it. */
const fits = ({ state }: Follower, { blocks }: SeenRange) =>
  blocks.every(({ number, hash }) => (state.kept.get(number)?.hash ?? hash) === hash)
