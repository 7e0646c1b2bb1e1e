import { toQuantity } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { isRefused, type Node, type NodeCall, requestAll, requestNode } from './askNode.ts'
import type { ChainBlock } from './chainData.ts'
import { parseBlock, parseFields, parseList } from './parseFields.ts'

/** A block with its transactions as the node sent them. */
export type FullBlock = { readonly block: ChainBlock; readonly transactions: readonly unknown[] }

/**
 * The number of blocks per request: fewer after a response that was too large, more again after
 * successes.
 */
export type BlockPace = { blocksPerBody: number }

// Beyond this, providers refuse batches.
const maxPerBody = 100
const transactionsPerBody = 250
// With more in one request, a slow node would exceed the time limit.
const fullBody = 2_000

/**
 * After this many transactions, or this much calldata in hex, no further request is sent, because
 * all of them are in memory together.
 */
const maxTransactions = 6_000
const maxInput = 32 * 1024 * 1024

/** The newest block of the chain, without its transactions. */
export async function readNewest(node: Node): Promise<ChainBlock> {
  return parseBlock(await one(node, { method: 'eth_getBlockByNumber', params: ['latest', false] }))
}

/**
 * Blocks by number without their transactions; undefined for each block that the chain does not
 * have.
 */
export async function readHeaders(
  node: Node,
  numbers: readonly number[],
): Promise<(ChainBlock | undefined)[]> {
  const found: (ChainBlock | undefined)[] = []
  for (let start = 0; start < numbers.length; start += 16) {
    const part = numbers.slice(start, start + 16)
    for (const result of await requestAll(
      node,
      part.map((number) => blockCall(number, false)),
    ))
      found.push(result === null ? undefined : parseBlock(result))
  }
  return found
}

/**
 * The blocks `from` to `to` with all transactions, fewer when they are full; each must be the
 * parent of the next.
 */
export async function readBlocks(
  node: Node,
  { from, to, pace }: { readonly from: number; readonly to: number; readonly pace: BlockPace },
): Promise<FullBlock[]> {
  const blocks: FullBlock[] = []
  let count = 0
  let input = 0
  while (from + blocks.length <= to && count < maxTransactions && input < maxInput) {
    const start = from + blocks.length
    const asked = Math.min(pace.blocksPerBody, to - start + 1)
    const some = await readBody(node, { start, count: asked, pace })
    blocks.push(...some)
    const transactions = some.flatMap((one) => one.transactions)
    count += transactions.length
    input += transactions.reduce<number>((sum, json) => sum + getInputLength(json), 0)
  }
  for (const [index, { block }] of blocks.entries()) {
    const parent = blocks[index - 1]?.block.hash ?? block.parentHash
    if (block.number !== from + index || block.parentHash !== parent)
      throw rpcUnavailable(node.chainId)
  }
  return blocks
}

async function readBody(
  node: Node,
  {
    start,
    count,
    pace,
  }: { readonly start: number; readonly count: number; readonly pace: BlockPace },
): Promise<FullBlock[]> {
  const calls = Array.from({ length: count }, (_, index) => blockCall(start + index, true))
  const replies = await requestNode(node, calls)
  if (replies === 'tooLarge' || (count > 1 && replies.every(isRefused))) {
    if (count === 1) return [await readLargeBlock(node, start)]
    pace.blocksPerBody = Math.ceil(count / 2)
    return []
  }
  const blocks = replies.map((reply) => {
    if (!('result' in reply) || reply.result === null) throw rpcUnavailable(node.chainId)
    return {
      block: parseBlock(reply.result),
      transactions: parseList(parseFields(reply.result).transactions),
    }
  })
  const transactions = blocks.reduce((sum, block) => sum + block.transactions.length, 0)
  if (transactions > fullBody) pace.blocksPerBody = Math.ceil(count / 2)
  else if (transactions < fullBody / 4 && count === pace.blocksPerBody)
    pace.blocksPerBody = Math.min(maxPerBody, count * 2)
  return blocks
}

function getInputLength(json: unknown): number {
  const { input } = parseFields(json)
  return typeof input === 'string' ? input.length : 0
}

/** Reads a block that is too large for one response: its transactions in parts. */
async function readLargeBlock(node: Node, number: number): Promise<FullBlock> {
  const result = await one(node, blockCall(number, false))
  const block = parseBlock(result)
  const { length } = parseList(parseFields(result).transactions)
  const transactions: unknown[] = []
  while (transactions.length < length) {
    const count = Math.min(transactionsPerBody, length - transactions.length)
    const calls = Array.from({ length: count }, (_, index) => ({
      method: 'eth_getTransactionByBlockHashAndIndex',
      params: [block.hash, toQuantity(transactions.length + index)],
    }))
    transactions.push(...(await requestAll(node, calls)))
  }
  return { block, transactions }
}

const blockCall = (number: number, full: boolean): NodeCall => ({
  method: 'eth_getBlockByNumber',
  params: [toQuantity(number), full],
})

async function one(node: Node, call: NodeCall): Promise<unknown> {
  const [result] = await requestAll(node, [call])
  return result
}
