import { finishTask, nextTask } from './accounts.ts'
import { unavailable } from './askNode.ts'
import type { Follower } from './followHead.ts'
import { readRange } from './readRange.ts'
import type { SeenRange } from './seen.ts'

/** Where a chain's backfill is between two steps. `size`: blocks of the next one. */
export type BackfillPace = { size: number; order: 'newest' | 'oldest'; toldAtMs: number }

export const newBackfillPace = (): BackfillPace => ({ size: 64, order: 'newest', toldAtMs: 0 })

/** About so many transactions are read and committed at once. */
const transactionsPerStep = 4_000
const mostBlocks = 2_000
const tellEveryMs = 1_500

/** Looks up one part of what accounts have to do; `done` when there was nothing. Throws RPC_UNAVAILABLE, Superseded. */
export async function backfill(follower: Follower, pace: BackfillPace): Promise<'done' | 'more'> {
  const { lease, node, state, paces, counted, clock } = follower
  const { generation } = state
  const task = await nextTask(lease, pace.order, pace.size)
  if (task === undefined) return 'done'
  pace.order = pace.order === 'newest' ? 'oldest' : 'newest'
  const { from, to } = task
  const addresses = new Set(task.accounts.keys())
  const range = await readRange(node, { from, to, addresses, paces }).catch((error: unknown) => {
    pace.size = Math.max(1, Math.floor(pace.size / 2))
    // A node that ran out of time is asked for less.
    paces.blocksPerBody = Math.max(1, Math.floor(paces.blocksPerBody / 2))
    throw error
  })
  const [oldest] = range.blocks
  if (oldest === undefined || !fits(follower, range)) throw unavailable(lease.chainId)
  const tells = clock() - pace.toldAtMs >= tellEveryMs
  if (tells) pace.toldAtMs = clock()
  const { transactions } = range
  await finishTask(lease, generation, { task, oldest, transactions, tells })
  counted.rows(transactions.length)
  const perBlock = Math.max(range.transactionCount, 1) / (to - from + 1)
  const wanted = Math.floor(transactionsPerStep / perBlock)
  pace.size = Math.max(1, Math.min(mostBlocks, pace.size * 2, wanted))
  return 'more'
}

/** A node on another branch than the head must not fill in what lies below it. */
const fits = ({ state }: Follower, { blocks }: SeenRange) =>
  blocks.every(({ number, hash }) => (state.kept.get(number)?.hash ?? hash) === hash)
