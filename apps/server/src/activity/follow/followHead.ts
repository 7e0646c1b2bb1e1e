import { type Node, unavailable } from '../nodes/askNode.ts'
import type { Hex, SeenBlock } from '../nodes/chainData.ts'
import { readHeaders, readNewest } from '../nodes/readBlocks.ts'
import { type Paces, readRange } from '../nodes/readRange.ts'
import { advance, type ChainState, forget, rollBack } from './chainState.ts'
import { type Following, type FollowLimits, refreshAccounts } from './followedAccounts.ts'
import type { Lease } from './lease.ts'

/** What the holder of a chain knows and works with. */
export type Follower = {
  readonly lease: Lease
  readonly node: Node
  readonly state: ChainState
  readonly paces: Paces
  readonly limits: FollowLimits
  readonly clock: () => number
  readonly counted: { rows(count: number): void; reorgs(): void }
  following: Following
  /** Since when the chain has been shorter than what is known of it. */
  shortSinceMs: number | undefined
}

/** What a look at the chain came to: all is known, there is more to do at once, or the nodes do not agree yet. */
export type Look = 'seen' | 'more' | 'unsure'

// Further behind is left to the backfill, which reads it in larger parts.
const mostBehind = 32
const blocksPerStep = 8
/** Blocks known by hash from the start on. */
const firstKept = 64
// A node that lags behind shows a shorter chain for a moment; one that was turned back keeps to it.
const graceMs = 1_500
const deepGraceMs = 10_000
// Shorter than all that is known: rather a node that has not caught up than another chain.
const farBehindGraceMs = 600_000

/** Looks at the newest block and brings the rows up to it, a few blocks at most. Throws RPC_UNAVAILABLE, Superseded. */
export async function followHead(follower: Follower): Promise<Look> {
  const { node, state } = follower
  const newest = await readNewest(node)
  if (state.head === undefined) return begin(follower, newest)
  const known = state.kept.get(newest.number)?.hash
  if (newest.number > state.head) return proceed(follower, newest, state.head)
  if (known !== newest.hash) return turnBack(follower, newest)
  if (newest.number < state.head)
    return whenPatient(follower, graceMs, () => goBack(follower, newest.number))
  follower.shortSinceMs = undefined
  return 'seen'
}

/** Reads again who is followed. */
export async function refresh(follower: Follower): Promise<void> {
  if (follower.state.head === undefined) return
  follower.following = await refreshAccounts(follower.lease, follower.state, follower.limits)
}

async function begin(follower: Follower, newest: SeenBlock): Promise<Look> {
  const { lease, node, state } = follower
  const [genesis] = await readHeaders(node, [0])
  const blocks = await readKnown(node, newest, firstKept)
  await advance(lease, state, {
    blocks,
    accounts: new Map(),
    transactions: 'leapt',
    genesis: genesis?.hash,
  })
  await refresh(follower)
  return 'more'
}

/** The block and those before it, as far as they fit together. */
async function readKnown(node: Node, newest: SeenBlock, count: number): Promise<SeenBlock[]> {
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

async function proceed(follower: Follower, newest: SeenBlock, head: number): Promise<Look> {
  const { lease, node, state, paces, following } = follower
  if (newest.number - head > mostBehind) return leap(follower, newest, head)
  const to = Math.min(newest.number, head + blocksPerStep)
  const addresses: ReadonlySet<Hex> = new Set(following.accounts.keys())
  const range = await readRange(node, { from: head + 1, to, addresses, paces })
  if (range.blocks[0]?.parentHash !== state.kept.get(head)?.hash) return turnBack(follower, newest)
  follower.shortSinceMs = undefined
  const { blocks, transactions } = range
  const { accounts } = following
  follower.counted.rows(await advance(lease, state, { blocks, accounts, transactions }))
  return (state.head ?? 0) < newest.number ? 'more' : 'seen'
}

async function leap(follower: Follower, newest: SeenBlock, head: number): Promise<Look> {
  const { lease, node, state } = follower
  const [same] = await readHeaders(node, [head])
  if (same?.hash !== state.kept.get(head)?.hash) return turnBack(follower, newest)
  const behind = newest.number - head
  const blocks = await readKnown(node, newest, Math.min(behind, firstKept))
  await advance(lease, state, { blocks, accounts: new Map(), transactions: 'leapt' })
  return 'more'
}

/** Another chain than the one known: back to where they part. */
async function turnBack(follower: Follower, newest: SeenBlock): Promise<Look> {
  const { node, state } = follower
  const numbers = [...state.kept.keys()].sort((a, b) => b - a)
  const candidates = numbers.filter((number) => number <= newest.number)
  for (let start = 0; start < candidates.length; start += 16) {
    const part = candidates.slice(start, start + 16)
    const headers = await readHeaders(node, part)
    const ancestor = part.find((number, at) => headers[at]?.hash === state.kept.get(number)?.hash)
    if (ancestor !== undefined) return goBack(follower, ancestor)
  }
  const [genesis] = await readHeaders(node, [0])
  const known = state.genesis ?? genesis?.hash
  if (genesis !== undefined && genesis.hash !== known) return startAnew(follower)
  const patienceMs = candidates.length === 0 ? farBehindGraceMs : deepGraceMs
  return whenPatient(follower, patienceMs, () => startAnew(follower))
}

async function goBack({ lease, state, counted }: Follower, ancestor: number): Promise<Look> {
  if (state.kept.get(ancestor) === undefined) throw unavailable(lease.chainId)
  await rollBack(lease, state, ancestor)
  counted.reorgs()
  return 'more'
}

async function startAnew({ lease, state, counted }: Follower): Promise<Look> {
  await forget(lease, state)
  counted.reorgs()
  return 'more'
}

async function whenPatient(
  follower: Follower,
  patienceMs: number,
  act: () => Promise<Look>,
): Promise<Look> {
  follower.shortSinceMs ??= follower.clock()
  if (follower.clock() - follower.shortSinceMs < patienceMs) return 'unsure'
  follower.shortSinceMs = undefined
  return act()
}
