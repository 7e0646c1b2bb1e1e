import { type ChainId, LatchkeyError } from '@latchkey/wire'
import type { ActivityPage, ActivityRow, ActivityTransfer } from '../../activity/activity.ts'
import { nativeTransfers } from '../../activity/activity.ts'
import { zeroAddress } from '../../evm/address.ts'
import type { Hex } from '../../evm/hex.ts'
import { comparePositions, getPosition } from '../mergePages.ts'
import type { HistorySource, PageQuery } from './historySource.ts'

/** A transaction without its transfers. */
export type TransactionFacts = Pick<
  ActivityRow,
  'from' | 'to' | 'created' | 'nonce' | 'valueWei' | 'feeWei' | 'selector' | 'status' | 'index'
>

/** An entry of one of a source's lists: of a transaction, what that list knows. */
export type Piece = {
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly minedAtMs: number
  readonly facts: TransactionFacts | undefined
  readonly transfers: readonly ActivityTransfer[]
}

/** Some entries of a list, newest block first, and how to read on; undefined at the end. */
export type Portion = {
  readonly pieces: readonly Piece[]
  readonly more: (() => Promise<Portion>) | undefined
}

/** Opens a list of an account from `upTo` backwards, from the newest block where it is not given. */
export type OpenList = (address: Hex, upTo: bigint | undefined) => Promise<Portion>

type Params = {
  readonly chainId: ChainId
  readonly lists: readonly OpenList[]
  /** Facts of transactions that no list has, from a node; absent if the node does not know one. */
  readonly readFacts: (hashes: readonly Hex[]) => Promise<ReadonlyMap<Hex, TransactionFacts>>
}

/** Portions of all lists together that are read for one page. */
const maxReads = 40

/**
 * A source that keeps an account's activity in several lists: they are put together by transaction. A page is made of
 * blocks only that every list has been read beyond, so no entry is missed or told twice at its borders. Throws
 * HISTORY_UNAVAILABLE, also where a page would take too many reads.
 */
export function outsideSource(params: Params): HistorySource {
  return {
    page: (query) => readPage(params, query),
    // An outside source is always complete.
    sync: async () => ({ complete: true, progress: 1, since: null }),
  }
}

type List = { readonly pieces: Piece[]; more: Portion['more'] }

async function readPage(
  { chainId, lists: openers, readFacts }: Params,
  { address, after, limit }: PageQuery,
): Promise<ActivityPage> {
  const upTo = after?.chainId === chainId ? after.blockNumber : undefined
  const lists: List[] = []
  // One after the other: such sources count how many ask at once.
  for (const open of openers) {
    const { pieces, more } = await open(address, upTo)
    lists.push({ pieces: [...pieces], more })
  }
  let groups = settledGroups(lists)
  for (let reads = lists.length; !isEnough(groups, { chainId, after, limit }); reads++) {
    const behind = furthestBehind(lists)
    if (behind?.more === undefined) break
    if (reads >= maxReads)
      throw new LatchkeyError('HISTORY_UNAVAILABLE', { data: { chain: chainId, seconds: 60 } })
    const { pieces, more } = await behind.more()
    behind.pieces.push(...pieces)
    behind.more = more
    groups = settledGroups(lists)
  }
  const selected = selectGroups(groups, { chainId, after, limit })
  const unknown = selected.filter(({ facts }) => facts === undefined).map(({ hash }) => hash)
  const found = unknown.length === 0 ? new Map<Hex, TransactionFacts>() : await readFacts(unknown)
  const rows = selected
    .map((group) => toRow(group, { chainId, address, found }))
    .filter((row) => after === undefined || comparePositions(row, after) > 0)
    .sort(comparePositions)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last !== undefined ? getPosition(last) : undefined
  return { rows: page, next, isIncomplete: false, hasNewest: true }
}

type Group = Pick<Piece, 'hash' | 'blockNumber' | 'minedAtMs'> & {
  facts: TransactionFacts | undefined
  readonly transfers: ActivityTransfer[]
}

// A list that gave no entry yet may go on with any.
const newest = 2n ** 63n
const lastBlock = (list: List) => list.pieces.at(-1)?.blockNumber

/** The list whose last entry read is the newest. */
function furthestBehind(lists: readonly List[]): List | undefined {
  return lists
    .filter((list) => list.more !== undefined)
    .sort((a, b) => ((lastBlock(a) ?? newest) < (lastBlock(b) ?? newest) ? 1 : -1))[0]
}

/** Transactions of the blocks that every list is through with, newest block first. */
function settledGroups(lists: readonly List[]): Group[] {
  const behind = furthestBehind(lists)
  // A portion without entries does not show how far its list is read.
  if (behind !== undefined && lastBlock(behind) === undefined) return []
  const horizon = behind && lastBlock(behind)
  const groups = new Map<Hex, Group>()
  for (const { pieces } of lists)
    for (const piece of pieces) {
      if (horizon !== undefined && piece.blockNumber <= horizon) continue
      const { hash, blockNumber, minedAtMs, facts, transfers } = piece
      const known = groups.get(hash)
      if (known === undefined)
        groups.set(hash, { hash, blockNumber, minedAtMs, facts, transfers: [...transfers] })
      else {
        known.facts ??= facts
        known.transfers.push(...transfers)
      }
    }
  return [...groups.values()].sort((a, b) => Number(b.blockNumber - a.blockNumber))
}

type Bounds = Pick<PageQuery, 'chainId' | 'after' | 'limit'>

/** Whether a transaction is beyond the place whatever its index in the block turns out to be. */
const isBeyond = (group: Group, { chainId, after }: Bounds) =>
  after === undefined ||
  group.minedAtMs < after.minedAtMs ||
  (after.chainId === chainId && group.blockNumber < after.blockNumber)

const isEnough = (groups: readonly Group[], bounds: Bounds) =>
  groups.filter((group) => isBeyond(group, bounds)).length > bounds.limit

/** Those that may be on the page: the blocks before the place left out, the last block whole. */
function selectGroups(groups: readonly Group[], bounds: Bounds): Group[] {
  const { after, chainId, limit } = bounds
  const first = groups.findIndex(
    (group) =>
      after === undefined ||
      group.minedAtMs < after.minedAtMs ||
      (group.minedAtMs === after.minedAtMs &&
        (after.chainId !== chainId || group.blockNumber <= after.blockNumber)),
  )
  if (first < 0) return []
  const rest = groups.slice(first)
  const last = rest.filter((group) => isBeyond(group, bounds))[limit]
  return last === undefined
    ? rest
    : rest.filter(({ blockNumber }) => blockNumber >= last.blockNumber)
}

type Known = {
  readonly chainId: ChainId
  readonly address: Hex
  readonly found: ReadonlyMap<Hex, TransactionFacts>
}

function toRow(group: Group, { chainId, address, found }: Known): ActivityRow {
  const { hash, blockNumber, minedAtMs } = group
  const facts = group.facts ?? found.get(hash) ?? guessFacts(group)
  const money = facts.status === 'failed' ? [] : nativeTransfers(facts, address)
  const transfers = [...money, ...group.transfers]
  return { chainId, hash, blockNumber, minedAtMs, ...facts, transfers }
}

/** A node that has forgotten a transaction leaves what it moved; its place then is behind the others of the block. */
function guessFacts({ hash, transfers: [first] }: Group): TransactionFacts {
  return {
    from: first?.from ?? zeroAddress,
    to: first?.contract ?? first?.to,
    created: undefined,
    nonce: 0,
    valueWei: 0n,
    feeWei: undefined,
    selector: undefined,
    status: 'confirmed',
    index: 1_000_000 + Number.parseInt(hash.slice(-5), 16),
  }
}
