import type { Hex } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { isRefused, type Node, requestNode } from './askNode.ts'
import { addUnread, type ChainBlock, type ChainLog, type UnreadBlocks } from './chainData.ts'
import { approvalTopics } from './decodeApprovals.ts'
import {
  batchTopic,
  decodeLogs,
  getOwnEvents,
  isOwnEvent,
  singleTopic,
  transferTopic,
} from './decodeTransfers.ts'
import { wrapTopics } from './decodeWrapping.ts'
import { parseBlock, parseList, parseLog } from './parseFields.ts'

/** How many blocks one query covers: halved when a node refuses the range as too large. */
export type LogPace = { logBlocks: number }

const maxBlocks = 2_000
const addressesPerQuery = 200
/** After this many logs no further blocks are read, because all of them are in memory together. */
const maxLogs = 20_000

type Topics = readonly (readonly Hex[] | null)[]

/** The filter of a query of eth_getLogs within its blocks. */
type Filter = { readonly topics: Topics; readonly address?: readonly Hex[] }

/** The logs of the first `blockCount` of the blocks. */
type FoundLogs = { readonly logs: readonly ChainLog[]; readonly blockCount: number }

/**
 * The transfers and approvals in consecutive `blocks` that name any of `addresses`, and possibly
 * others. If the logs are very many, only the logs of the first blocks. Addresses whose logs in a
 * block are too large for one response are added to `unread`.
 */
export async function readLogs(
  node: Node,
  parameters: {
    readonly blocks: readonly ChainBlock[]
    readonly addresses: readonly Hex[]
    readonly pace: LogPace
    readonly unread: UnreadBlocks
  },
): Promise<FoundLogs> {
  const { blocks, addresses, pace, unread } = parameters
  // For a node, an empty list of topics means any topic.
  if (addresses.length === 0) return { logs: [], blockCount: blocks.length }
  const logs = new Map<string, ChainLog>()
  const owners = new Set(addresses)
  let start = 0
  while (start < blocks.length && logs.size < maxLogs) {
    const part = blocks.slice(start, start + pace.logBlocks)
    let found = await readPart(node, part, toFilters(node, addresses))
    const [first] = part
    if (found === undefined && part.length > 1) {
      pace.logBlocks = Math.ceil(part.length / 2)
      continue
    }
    if (first) found ??= await readCrowded(node, first, { addresses, unread })
    for (const log of found ?? []) {
      const block = blocks[log.blockNumber - (blocks[0]?.number ?? 0)]
      if (block?.hash !== log.blockHash) throw rpcUnavailable(node.chainId)
      logs.set(`${log.blockNumber} ${log.logIndex}`, log)
    }
    if (part.length === pace.logBlocks) pace.logBlocks = Math.min(maxBlocks, pace.logBlocks * 2)
    start += part.length
  }
  const sorted = [...logs.values()].sort(
    (a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
  )
  return { logs: dropOthers(sorted, owners), blockCount: start }
}

/**
 * The logs without events of {@link isOwnEvent} that do not concern `owners`: the query by the
 * contract finds the transfers of all accounts.
 */
function dropOthers(logs: readonly ChainLog[], owners: ReadonlySet<Hex>): readonly ChainLog[] {
  const keyOf = ({ address, blockNumber, transactionIndex }: ChainLog) =>
    `${address} ${blockNumber} ${transactionIndex}`
  const groups = new Map<string, ChainLog[]>()
  for (const log of logs.filter(isOwnEvent)) {
    const group = groups.get(keyOf(log))
    if (group) group.push(log)
    else groups.set(keyOf(log), [log])
  }
  const moving = new Set(
    [...groups].flatMap(([key, group]) =>
      decodeLogs(group).some(({ from, to }) => owners.has(from) || owners.has(to)) ? [key] : [],
    ),
  )
  return logs.filter((log) => !isOwnEvent(log) || moving.has(keyOf(log)))
}

/**
 * The logs of a block that are too large for one response, read with fewer topics and addresses in
 * each query. Anyone can make a contract fill a block with logs in the name of an account.
 */
async function readCrowded(
  node: Node,
  block: ChainBlock,
  { addresses, unread }: { readonly addresses: readonly Hex[]; readonly unread: UnreadBlocks },
): Promise<ChainLog[]> {
  const queries = splitIntoQueries(node, addresses)
  const logs: ChainLog[] = []
  for (let query = queries.pop(); query !== undefined; query = queries.pop()) {
    const found = await readPart(node, [block], [query.toFilter(query.addresses)])
    if (found !== undefined) {
      logs.push(...found)
      continue
    }
    const { length } = query.addresses
    const halves = [query.addresses.slice(0, length / 2), query.addresses.slice(length / 2)]
    const [address] = query.addresses
    if (length > 1) for (const half of halves) queries.push({ ...query, addresses: half })
    else if (address) {
      await assertReading(node, block)
      addUnread(unread, address, block.number)
    }
  }
  return logs
}

/**
 * Throws RPC_UNAVAILABLE if the node does not even answer a query that finds nothing: then the size
 * of the response is not the reason.
 */
async function assertReading(node: Node, block: ChainBlock): Promise<void> {
  const found = await readPart(node, [block], [{ topics: [[`0x${'0'.repeat(64)}`]] }])
  if (found === undefined) throw rpcUnavailable(node.chainId)
}

/**
 * Undefined if the node refuses such a large range. A node that is behind, or on another branch,
 * returns an empty list for a range. So it first has to return the last block.
 */
async function readPart(
  node: Node,
  blocks: readonly ChainBlock[],
  filters: readonly Filter[],
): Promise<ChainLog[] | undefined> {
  const calls = filters.flatMap((filter) =>
    rangeFilters(blocks).map((place) => ({
      method: 'eth_getLogs',
      params: [{ ...place, ...filter }],
    })),
  )
  const last = blocks.at(-1)
  const proof = { method: 'eth_getBlockByNumber', params: [toQuantity(last), false] }
  const replies = await requestNode(node, [proof, ...calls])
  if (replies === 'tooLarge' || replies.some(isRefused)) return undefined
  const [headReply, ...lists] = replies
  if (headReply === undefined || !('result' in headReply) || headReply.result === null)
    throw rpcUnavailable(node.chainId)
  if (parseBlock(headReply.result).hash !== last?.hash) throw rpcUnavailable(node.chainId)
  return lists.flatMap((reply) => ('result' in reply ? parseList(reply.result).map(parseLog) : []))
}

const toQuantity = (block: ChainBlock | undefined) => `0x${block?.number.toString(16)}`

/**
 * A few blocks by hash: a node that does not have them answers with an error and not with an empty
 * list.
 */
function rangeFilters(blocks: readonly ChainBlock[]): object[] {
  if (blocks.length <= 4) return blocks.map(({ hash }) => ({ blockHash: hash }))
  return [{ fromBlock: toQuantity(blocks[0]), toBlock: toQuantity(blocks.at(-1)) }]
}

/** The topics of events whose second topic is an owner. */
const getOwnerTopics = ({ wrappedNative }: Node) => [
  ...approvalTopics,
  ...(wrappedNative === undefined ? [] : wrapTopics),
]

/**
 * Queries by sender or owner, by receiver (in ERC-1155 one topic later), and by contract for events
 * that cannot be found otherwise.
 */
const getQueryKinds = (node: Node): ((padded: readonly Hex[]) => Filter)[] => [
  (padded) => ({ topics: [[transferTopic, ...getOwnerTopics(node)], padded] }),
  (padded) => ({ topics: [[transferTopic, singleTopic, batchTopic], null, padded] }),
  (padded) => ({ topics: [[singleTopic, batchTopic], null, null, padded] }),
  ...getOwnEvents(node.chainId).map((filter) => () => filter),
]

/** For very many accounts, every log of these kinds is requested. */
function toFilters(node: Node, addresses: readonly Hex[]): Filter[] {
  if (addresses.length > addressesPerQuery)
    return [
      { topics: [[transferTopic, singleTopic, batchTopic, ...getOwnerTopics(node)]] },
      ...getOwnEvents(node.chainId),
    ]
  const padded = addresses.map(toTopic)
  return getQueryKinds(node).map((kind) => kind(padded))
}

const toTopic = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`

type Query = { readonly addresses: readonly Hex[]; toFilter(addresses: readonly Hex[]): Filter }

function splitIntoQueries(node: Node, addresses: readonly Hex[]): Query[] {
  const queries: Query[] = []
  for (let start = 0; start < addresses.length; start += addressesPerQuery)
    for (const kind of getQueryKinds(node))
      queries.push({
        addresses: addresses.slice(start, start + addressesPerQuery),
        toFilter: (some) => kind(some.map(toTopic)),
      })
  return queries
}
