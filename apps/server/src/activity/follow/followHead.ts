import type { Hex } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { isNodeFault, type Node } from '../nodes/askNode.ts'
import type { ChainBlock } from '../nodes/chainData.ts'
import { readHeaders, readNewest } from '../nodes/readBlocks.ts'
import { type Paces, readRange } from '../nodes/readRange.ts'
import { advance, type ChainState, resetChain, rollBack } from './chainState.ts'
import type { CrowdedAccounts } from './crowdedAccounts.ts'
import { type FollowedAccounts, type FollowLimits, refreshAccounts } from './followedAccounts.ts'
import type { Lease } from './lease.ts'

/** The state and dependencies of a chain's leader. */
export type LeaderState = {
  readonly lease: Lease
  readonly node: Node
  readonly state: ChainState
  readonly paces: Paces
  readonly crowded: CrowdedAccounts
  readonly limits: FollowLimits
  readonly clock: () => number
  readonly counters: { rows(count: number): void; reorgs(): void }
  following: FollowedAccounts
  /** How often in a row the blocks after the head could not be read. */
  headFailures: number
  /** Since when the chain has been shorter than the index. */
  shortSinceMs: number | undefined
}

/**
 * The result of one poll of the chain: everything is indexed, more work is left, or the nodes do
 * not agree yet.
 */
export type HeadStatus = 'seen' | 'more' | 'unsure'

// Blocks further behind are left to the backfill, which reads larger ranges.
const maxBehind = 32
const blocksPerStep = 8
/** The number of failed reads after which the block after the head is left to the backfill. */
const maxHeadFailures = 2
/** The number of blocks that are known by hash at the start. */
const firstBlockCount = 64
// A node that lags behind shows a shorter chain for a moment; after a re-org the chain stays
// shorter.
const graceMs = 1_500
const deepGraceMs = 10_000
// The chain is shorter than all known blocks: more likely a node that has not caught up than
// another chain.
const farBehindGraceMs = 600_000

/**
 * Polls the newest block and indexes up to it, at most a few blocks. Throws RPC_UNAVAILABLE,
 * Superseded.
 */
export async function followHead(leader: LeaderState): Promise<HeadStatus> {
  const { node, state } = leader
  const newest = await readNewest(node)
  if (state.head === undefined) return startChain(leader, newest)
  const known = state.recentBlocks.get(newest.number)?.hash
  if (newest.number > state.head) return advanceHead(leader, newest, state.head)
  if (known !== newest.hash) return findAncestor(leader, newest)
  if (newest.number < state.head)
    return afterGrace(leader, graceMs, () => rollBackTo(leader, newest.number))
  leader.shortSinceMs = undefined
  return 'seen'
}

/** Reads the followed accounts again. */
export async function refreshFollowed(leader: LeaderState): Promise<void> {
  if (leader.state.head === undefined) return
  leader.following = await refreshAccounts(leader.lease, leader.state, leader.limits)
}

async function startChain(leader: LeaderState, newest: ChainBlock): Promise<HeadStatus> {
  const { lease, node, state } = leader
  const [genesis] = await readHeaders(node, [0])
  const blocks = await readRecentBlocks(node, newest, firstBlockCount)
  await advance(lease, state, {
    blocks,
    accounts: new Map(),
    transactions: 'leapt',
    genesis: genesis?.hash,
  })
  await refreshFollowed(leader)
  return 'more'
}

/** The block and its predecessors, as far as each is the parent of the next. */
async function readRecentBlocks(
  node: Node,
  newest: ChainBlock,
  count: number,
): Promise<ChainBlock[]> {
  const numbers = Array.from({ length: count - 1 }, (_, index) => newest.number - 1 - index)
  const headers = await readHeaders(
    node,
    numbers.filter((number) => number >= 0),
  )
  const blocks = [newest]
  for (const header of headers) {
    if (header?.hash !== blocks[0]?.parentHash) break
    if (header) blocks.unshift(header)
  }
  return blocks
}

async function advanceHead(
  leader: LeaderState,
  newest: ChainBlock,
  head: number,
): Promise<HeadStatus> {
  const { lease, node, state, paces, following } = leader
  if (newest.number - head > maxBehind) return skipAhead(leader, newest, head)
  // After a failure, one block: the others may be readable.
  const to = leader.headFailures > 0 ? head + 1 : Math.min(newest.number, head + blocksPerStep)
  const addresses: ReadonlySet<Hex> = new Set(following.accounts.keys())
  const setAside = leader.crowded.list()
  const question = { from: head + 1, to, addresses, paces, setAside }
  const range = await readRange(node, question).catch((error) => passBlock(leader, head, error))
  leader.headFailures = 0
  if (range === 'passed') return 'more'
  if (range.blocks[0]?.parentHash !== state.recentBlocks.get(head)?.hash)
    return findAncestor(leader, newest)
  leader.shortSinceMs = undefined
  const { blocks, transactions, unread } = range
  leader.crowded.note(unread)
  const { accounts } = following
  leader.counters.rows(await advance(lease, state, { blocks, accounts, transactions, unread }))
  return (state.head ?? 0) < newest.number ? 'more' : 'seen'
}

/**
 * Makes the block after the head the new head without reading it, if that has failed too often: the
 * backfill reads it later, so that a block that no node returns in time does not delay later
 * blocks. Throws `error` before that, and if the nodes do not have the block.
 */
async function passBlock(leader: LeaderState, head: number, error: unknown): Promise<'passed'> {
  const { lease, node, state } = leader
  if (!isNodeFault(error)) throw error
  leader.headFailures++
  if (leader.headFailures < maxHeadFailures) throw error
  const [block] = await readHeaders(node, [head + 1])
  if (block === undefined || block.parentHash !== state.recentBlocks.get(head)?.hash) throw error
  await advance(lease, state, { blocks: [block], accounts: new Map(), transactions: 'leapt' })
  return 'passed'
}

async function skipAhead(
  leader: LeaderState,
  newest: ChainBlock,
  head: number,
): Promise<HeadStatus> {
  const { lease, node, state } = leader
  const [same] = await readHeaders(node, [head])
  if (same?.hash !== state.recentBlocks.get(head)?.hash) return findAncestor(leader, newest)
  const behind = newest.number - head
  const blocks = await readRecentBlocks(node, newest, Math.min(behind, firstBlockCount))
  await advance(lease, state, { blocks, accounts: new Map(), transactions: 'leapt' })
  return 'more'
}

/**
 * Handles a reorganization: returns to the last block that the chain and the index have in common.
 */
async function findAncestor(leader: LeaderState, newest: ChainBlock): Promise<HeadStatus> {
  const { node, state } = leader
  const numbers = [...state.recentBlocks.keys()].sort((a, b) => b - a)
  const candidates = numbers.filter((number) => number <= newest.number)
  for (let start = 0; start < candidates.length; start += 16) {
    const part = candidates.slice(start, start + 16)
    const headers = await readHeaders(node, part)
    const ancestor = part.find(
      (number, at) => headers[at]?.hash === state.recentBlocks.get(number)?.hash,
    )
    if (ancestor !== undefined) return rollBackTo(leader, ancestor)
  }
  const [genesis] = await readHeaders(node, [0])
  const known = state.genesis ?? genesis?.hash
  if (genesis !== undefined && genesis.hash !== known) return restart(leader)
  const patienceMs = candidates.length === 0 ? farBehindGraceMs : deepGraceMs
  return afterGrace(leader, patienceMs, () => restart(leader))
}

async function rollBackTo(
  { lease, state, counters }: LeaderState,
  ancestor: number,
): Promise<HeadStatus> {
  if (state.recentBlocks.get(ancestor) === undefined) throw rpcUnavailable(lease.chainId)
  await rollBack(lease, state, ancestor)
  counters.reorgs()
  return 'more'
}

async function restart({ lease, state, counters }: LeaderState): Promise<HeadStatus> {
  await resetChain(lease, state)
  counters.reorgs()
  return 'more'
}

async function afterGrace(
  leader: LeaderState,
  patienceMs: number,
  act: () => Promise<HeadStatus>,
): Promise<HeadStatus> {
  leader.shortSinceMs ??= leader.clock()
  if (leader.clock() - leader.shortSinceMs < patienceMs) return 'unsure'
  leader.shortSinceMs = undefined
  return act()
}
