import type { Hex } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { isNodeFault } from '../nodes/askNode.ts'
import type { BlockRange } from '../nodes/chainData.ts'
import { readHeaders } from '../nodes/readBlocks.ts'
import { readRange } from '../nodes/readRange.ts'
import { type BackfillTask, finishTask, nextTask } from './followedAccounts.ts'
import type { LeaderState } from './followHead.ts'

/**
 * The state of a chain's backfill between two steps. `size`: blocks of the next step; `busy`:
 * ranges that other loops of this process search now; `unnotified`: accounts with findings that no
 * listener was notified of; `missing`: blocks that the node does not have.
 */
export type BackfillPace = {
  size: number
  order: 'newest' | 'oldest'
  notifiedAtMs: number
  readonly unnotified: Set<Hex>
  readonly busy: Set<Pick<BackfillTask, 'from' | 'to'>>
  missing: (Pick<BackfillTask, 'from' | 'to'> & { readonly untilMs: number }) | undefined
}

export const createBackfillPace = (): BackfillPace => ({
  size: 64,
  order: 'newest',
  notifiedAtMs: 0,
  unnotified: new Set(),
  busy: new Set(),
  missing: undefined,
})

/** The approximate number of transactions that are read and committed at once. */
const transactionsPerStep = 4_000
const maxBlocks = 2_000
/** How long to wait before requesting blocks again that the node does not have. */
const missingMs = 60_000
const notifyEveryMs = 1_500

/**
 * Searches one range of blocks for accounts that need it; `done` if no range is left. Throws
 * RPC_UNAVAILABLE, Superseded.
 */
export async function backfill(leader: LeaderState, pace: BackfillPace): Promise<'done' | 'more'> {
  const { generation } = leader.state
  const { busy, missing, order, size } = pace
  const isMissing = missing !== undefined && missing.untilMs > leader.clock()
  const avoided = isMissing ? [...busy, missing] : busy
  const task = await nextTask(leader.lease, { order, size, busy: avoided })
  if (task === undefined) return 'done'
  // Another task may have chosen the same blocks at the same moment.
  if (isBusy(pace, task)) return 'more'
  pace.order = pace.order === 'newest' ? 'oldest' : 'newest'
  pace.busy.add(task)
  try {
    await backfillTask(leader, pace, { task, generation })
  } finally {
    pace.busy.delete(task)
  }
  return 'more'
}

const isBusy = ({ busy }: BackfillPace, { from, to }: BackfillTask) =>
  [...busy].some((other) => other.from <= to && from <= other.to)

async function backfillTask(
  leader: LeaderState,
  pace: BackfillPace,
  { task, generation }: { readonly task: BackfillTask; readonly generation: bigint },
): Promise<void> {
  const { lease, node, paces, counters, clock } = leader
  const { from, to, accounts } = task
  const addresses = new Set(accounts.keys())
  const setAside = leader.crowded.list()
  const question = { from, to, addresses, paces, setAside }
  const range = await readRange(node, question).catch((error: unknown) => {
    pace.size = Math.max(1, Math.floor(pace.size / 2))
    // Request less from a node that timed out.
    paces.blocksPerBody = Math.max(1, Math.floor(paces.blocksPerBody / 2))
    return leaveOut(leader, pace, { task, error })
  })
  if (range === 'smaller') return
  const { blocks, transactions, transactionCount, unread } = range
  leader.crowded.note(unread)
  if (blocks.length === 0 || !matchesHead(leader, range)) throw rpcUnavailable(lease.chainId)
  const notifyAll = clock() - pace.notifiedAtMs >= notifyEveryMs
  if (notifyAll) pace.notifiedAtMs = clock()
  const done = { from, to: from + blocks.length - 1, accounts }
  const { unnotified } = pace
  await finishTask(lease, generation, {
    task: done,
    blocks,
    transactions,
    unread,
    notifyAll,
    unnotified,
  })
  counters.rows(transactions.length)
  const target = Math.floor((transactionsPerStep * blocks.length) / Math.max(transactionCount, 1))
  pace.size = Math.max(1, Math.min(maxBlocks, pace.size * 2, target))
}

/**
 * Handles blocks that could not be read. The next step reads fewer blocks at once. A single block
 * is left unread, so that its accounts do not wait for it, if the node has it. Throws `error` if
 * the node does not answer or does not have the block.
 */
async function leaveOut(
  { node, clock }: LeaderState,
  pace: BackfillPace,
  { task, error }: { readonly task: BackfillTask; readonly error: unknown },
): Promise<BlockRange | 'smaller'> {
  const { from, to, accounts } = task
  if (!isNodeFault(error)) throw error
  const [block] = await readHeaders(node, [from])
  if (block === undefined) {
    // A node that deletes old data does not have the blocks below either.
    pace.missing = { from: 0, to, untilMs: clock() + missingMs }
    throw error
  }
  if (from < to) return 'smaller'
  const unread = new Map([...accounts.keys()].map((address) => [address, new Set([from])]))
  return { blocks: [block], transactions: [], transactionCount: 0, unread }
}

/** A node on another branch must not provide the blocks below the head. */
export const matchesHead = ({ state }: LeaderState, { blocks }: BlockRange) =>
  blocks.every(({ number, hash }) => (state.recentBlocks.get(number)?.hash ?? hash) === hash)
