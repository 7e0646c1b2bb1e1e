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

/** An entry of a source's list: the part of a transaction that the list contains. */
export type Piece = {
  readonly hash: Hex
  readonly blockNumber: bigint
  readonly minedAtMs: number
  readonly facts: TransactionFacts | undefined
  readonly transfers: readonly ActivityTransfer[]
}

/** A block of a list. */
export type Reached = Pick<Piece, 'blockNumber' | 'minedAtMs'>

/**
 * Some entries of a list, newest block first, and how to read on; undefined at the end. `reached`:
 * the block of the last entry, even if that entry is not a piece; undefined if the portion is
 * empty.
 */
export type Portion = {
  readonly pieces: readonly Piece[]
  readonly reached: Reached | undefined
  readonly more: (() => Promise<Portion>) | undefined
}

/** Opens a list of an account from `upTo` backwards. Default: from the newest block. */
export type OpenList = (address: Hex, upTo: bigint | undefined) => Promise<Portion>

type Params = {
  readonly chainId: ChainId
  readonly lists: readonly OpenList[]
  /**
   * Facts of transactions that are in no list, from a node. Transactions that the node does not
   * have are absent.
   */
  readonly readFacts: (hashes: readonly Hex[]) => Promise<ReadonlyMap<Hex, TransactionFacts>>
}

/** The number of portions, of all lists together, that are read for one page. */
const maxReads = 40

/**
 * A source that keeps an account's activity in several lists: they are joined by transaction. A
 * page contains only blocks that every list has been read beyond, so no entry is missed or repeated
 * at its borders. A page that would take too many reads is shorter. A block with more entries than
 * that is shown as far as it was read, and is reported as incomplete. Throws HISTORY_UNAVAILABLE.
 */
export function outsideSource(params: Params): HistorySource {
  return {
    page: (query) => readPage(params, query),
    // An outside source is always complete.
    sync: async () => ({ complete: true, progress: 1, since: null }),
  }
}

type List = { readonly pieces: Piece[]; reached: Reached | undefined; more: Portion['more'] }

async function readPage(
  { chainId, lists: openers, readFacts }: Params,
  { address, after, limit }: PageQuery,
): Promise<ActivityPage> {
  const upTo = after?.chainId === chainId ? after.blockNumber : undefined
  const lists: List[] = []
  // One after the other, because such sources limit concurrent requests.
  for (const open of openers) {
    const portion = await open(address, upTo)
    lists.push({ ...portion, pieces: [...portion.pieces] })
  }
  const bounds = { chainId, after, limit }
  let groups = settledGroups(lists)
  let cut: Reached | undefined
  for (let reads = lists.length; !isEnough(groups, bounds); reads++) {
    const behind = furthestBehind(lists)
    if (behind?.more === undefined) break
    if (reads >= maxReads) {
      cut = behind.reached
      break
    }
    const { pieces, reached, more } = await behind.more()
    behind.pieces.push(...pieces)
    behind.reached = reached ?? behind.reached
    behind.more = more
    groups = settledGroups(lists)
  }
  const toRows = async (found: readonly Group[]) => {
    const selected = selectGroups(found, bounds)
    const unknown = selected.filter(({ facts }) => facts === undefined).map(({ hash }) => hash)
    const facts = unknown.length === 0 ? new Map<Hex, TransactionFacts>() : await readFacts(unknown)
    return selected
      .map((group) => toRow(group, { chainId, address, found: facts }))
      .filter((row) => after === undefined || comparePositions(row, after) > 0)
      .sort(comparePositions)
  }
  const rows = await toRows(groups)
  if (cut !== undefined && rows.length <= limit)
    return endAt(cut, {
      rows,
      ...bounds,
      readBlock: () => toRows(groupPieces(lists, cut.blockNumber)),
    })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last !== undefined ? getPosition(last) : undefined
  return { rows: page, next, isIncomplete: false, hasNewest: true }
}

const lastIndex = 2 ** 31 - 1

type CutPage = Bounds & {
  readonly rows: readonly ActivityRow[]
  /** Rows of the block and of the blocks above it, as far as they have been read. */
  readonly readBlock: () => Promise<readonly ActivityRow[]>
}

/**
 * A page that ends above the block to which all lists were read, or below it if nothing else is
 * left.
 */
async function endAt(
  { blockNumber, minedAtMs }: Reached,
  { rows, readBlock, chainId, after, limit }: CutPage,
): Promise<ActivityPage> {
  const rest = { isIncomplete: false, isCut: true, hasNewest: true }
  const above = { chainId, minedAtMs, blockNumber, index: lastIndex }
  if (rows.length > 0) return { ...rest, rows, next: above }
  const next = { ...above, blockNumber: blockNumber - 1n }
  // A cursor on another chain is beyond everything of this chain.
  if (after !== undefined && comparePositions(next, after) <= 0) throw tooMany(chainId)
  const found = await readBlock()
  return { ...rest, rows: found.slice(0, limit), next, unread: { blocks: 1, latestMs: minedAtMs } }
}

const tooMany = (chain: ChainId) =>
  new LatchkeyError('HISTORY_UNAVAILABLE', { data: { chain, seconds: 60 } })

type Group = Pick<Piece, 'hash' | 'blockNumber' | 'minedAtMs'> & {
  facts: TransactionFacts | undefined
  readonly transfers: ActivityTransfer[]
}

// A list that has returned no entry yet may continue with any block.
const newest = 2n ** 63n
const lastBlock = (list: List) => list.reached?.blockNumber

/** The list whose last entry read is the newest. */
function furthestBehind(lists: readonly List[]): List | undefined {
  return lists
    .filter((list) => list.more !== undefined)
    .sort((a, b) => ((lastBlock(a) ?? newest) < (lastBlock(b) ?? newest) ? 1 : -1))[0]
}

/** Transactions of the blocks that every list has been read beyond, newest block first. */
function settledGroups(lists: readonly List[]): Group[] {
  const behind = furthestBehind(lists)
  // A portion without entries does not show how far its list is read.
  if (behind !== undefined && lastBlock(behind) === undefined) return []
  return groupPieces(lists, behind?.reached ? behind.reached.blockNumber + 1n : 0n)
}

/** Transactions of the blocks from `lowest` on, newest block first. */
function groupPieces(lists: readonly List[], lowest: bigint): Group[] {
  const groups = new Map<Hex, Group>()
  for (const { pieces } of lists)
    for (const piece of pieces) {
      if (piece.blockNumber < lowest) continue
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

/** Whether a transaction is beyond the place for every possible index in its block. */
const isBeyond = (group: Group, { chainId, after }: Bounds) =>
  after === undefined ||
  group.minedAtMs < after.minedAtMs ||
  (after.chainId === chainId && group.blockNumber < after.blockNumber)

const isEnough = (groups: readonly Group[], bounds: Bounds) =>
  groups.filter((group) => isBeyond(group, bounds)).length > bounds.limit

/**
 * The groups that may be on the page: without the blocks before the place, and with the whole last
 * block.
 */
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

type RowContext = {
  readonly chainId: ChainId
  readonly address: Hex
  readonly found: ReadonlyMap<Hex, TransactionFacts>
}

function toRow(group: Group, { chainId, address, found }: RowContext): ActivityRow {
  const { hash, blockNumber, minedAtMs } = group
  const facts = group.facts ?? found.get(hash) ?? guessFacts(group)
  const money = facts.status === 'failed' ? [] : nativeTransfers(facts, address)
  const transfers = [...money, ...group.transfers]
  return { chainId, hash, blockNumber, minedAtMs, ...facts, transfers }
}

/**
 * The facts of a transaction that the node no longer has, from its transfers. It comes after the
 * others of its block.
 */
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
