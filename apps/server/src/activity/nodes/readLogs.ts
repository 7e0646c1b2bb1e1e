import type { Hex } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { isRefused, type Node, requestNode } from './askNode.ts'
import type { ChainBlock, ChainLog } from './chainData.ts'
import { approvalTopics } from './decodeApprovals.ts'
import { batchTopic, singleTopic, transferTopic } from './decodeTransfers.ts'
import { parseBlock, parseList, parseLog } from './parseFields.ts'

/** How many blocks one query covers: halved when a node refuses the range as too large. */
export type LogPace = { logBlocks: number }

const maxBlocks = 2_000
const addressesPerQuery = 200

type Topics = readonly (readonly Hex[] | null)[]

/** The transfers and approvals of `blocks`, which follow one another, that name one of `addresses`; and maybe others. */
export async function readLogs(
  node: Node,
  parameters: {
    readonly blocks: readonly ChainBlock[]
    readonly addresses: readonly Hex[]
    readonly pace: LogPace
  },
): Promise<ChainLog[]> {
  const { blocks, addresses, pace } = parameters
  const logs = new Map<string, ChainLog>()
  for (let start = 0; start < blocks.length; ) {
    const part = blocks.slice(start, start + pace.logBlocks)
    const found = await readPart(node, part, topicFilters(addresses))
    if (found === undefined) {
      if (part.length === 1) throw rpcUnavailable(node.chainId)
      pace.logBlocks = Math.ceil(part.length / 2)
      continue
    }
    for (const log of found) {
      const block = blocks[log.blockNumber - (blocks[0]?.number ?? 0)]
      if (block?.hash !== log.blockHash) throw rpcUnavailable(node.chainId)
      logs.set(`${log.blockNumber} ${log.logIndex}`, log)
    }
    if (part.length === pace.logBlocks) pace.logBlocks = Math.min(maxBlocks, pace.logBlocks * 2)
    start += part.length
  }
  return [...logs.values()].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/**
 * Undefined if the node refuses such a large range. A node that is behind, or on another branch, answers a range with nothing:
 * it has to show the last block before.
 */
async function readPart(
  node: Node,
  blocks: readonly ChainBlock[],
  topics: readonly Topics[],
): Promise<ChainLog[] | undefined> {
  const calls = topics.flatMap((topic) =>
    rangeFilters(blocks).map((place) => ({
      method: 'eth_getLogs',
      params: [{ ...place, topics: topic }],
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

/** A few blocks by hash: a node that does not have them answers with an error and not with an empty list. */
function rangeFilters(blocks: readonly ChainBlock[]): object[] {
  if (blocks.length <= 4) return blocks.map(({ hash }) => ({ blockHash: hash }))
  return [{ fromBlock: toQuantity(blocks[0]), toBlock: toQuantity(blocks.at(-1)) }]
}

/** Sender or owner, receiver (in ERC-1155 one place later). For very many accounts every log of these is asked for. */
function topicFilters(addresses: readonly Hex[]): Topics[] {
  if (addresses.length > addressesPerQuery)
    return [[[transferTopic, singleTopic, batchTopic, ...approvalTopics]]]
  const padded = addresses.map((address): Hex => `0x${address.slice(2).padStart(64, '0')}`)
  return [
    [[transferTopic, ...approvalTopics], padded],
    [[transferTopic, singleTopic, batchTopic], null, padded],
    [[singleTopic, batchTopic], null, null, padded],
  ]
}
