import { type Hex, toQuantity } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { isRefused, type Node, requestAll, requestEach, requestNode } from './askNode.ts'
import type { ChainBlock } from './chainData.ts'
import { entryPoint, operationTopic, readSucceeded } from './decodeOperations.ts'
import { bigField, hexField, optionalHex, parseFields, parseList } from './parseFields.ts'

/** Facts that only the receipt contains. */
export type TransactionReceipt = {
  /** Undefined if the receipt could not be read. */
  readonly fee: bigint | undefined
  readonly failed: boolean
  readonly created: Hex | undefined
  /** The hashes of the user operations in it that succeeded. */
  readonly succeeded: ReadonlySet<Hex>
}

/**
 * Transactions of one block whose receipts are needed: their hashes by index in the block, which
 * has `transactionCount`.
 */
export type ReceiptsRequest = {
  readonly block: ChainBlock
  readonly transactionCount: number
  readonly hashes: ReadonlyMap<number, Hex>
  /** The hashes of the user operations that matter, by the hash of their transaction. */
  readonly operations: ReadonlyMap<Hex, readonly Hex[]>
}

/** Whether the chain's nodes return the receipts of a whole block at once. */
export type ReceiptPace = { wholeBlocks: boolean }

const perBody = 100
// Below this number, receipts are requested individually.
const minForWholeBlock = 20
const transactionsPerBody = 1_500

/**
 * The requested receipts, by hash. A receipt that cannot be read has no fee. Logs that make a
 * receipt too large are dropped, and the relevant logs are requested separately.
 */
export async function readReceipts(
  node: Node,
  requests: readonly ReceiptsRequest[],
  pace: ReceiptPace,
): Promise<Map<Hex, TransactionReceipt>> {
  const places = new Map<Hex, ChainBlock>()
  for (const { block, hashes } of requests)
    for (const hash of hashes.values()) places.set(hash, block)
  const found = new Map<Hex, TransactionReceipt>()
  const add = (json: unknown) => {
    const fields = parseFields(json)
    const hash = hexField(fields, 'transactionHash', 32)
    const block = places.get(hash)
    if (block === undefined) return
    if (hexField(fields, 'blockHash') !== block.hash) throw rpcUnavailable(node.chainId)
    found.set(hash, parseReceipt(fields))
  }
  if (pace.wholeBlocks)
    for (const part of splitIntoBodies(
      requests.filter(({ hashes }) => hashes.size >= minForWholeBlock),
    ))
      for (const list of await readWhole(node, part, pace)) list.forEach(add)
  const missing = [...places.keys()].filter((hash) => !found.has(hash))
  const operations = new Map(requests.flatMap((request) => [...request.operations]))
  for (let start = 0; start < missing.length; start += perBody) {
    const part = missing.slice(start, start + perBody)
    for (const [index, reply] of (await requestEach(node, part.map(receiptCall))).entries()) {
      const hash = part[index]
      const block = hash && places.get(hash)
      if (hash === undefined || block === undefined) continue
      if ('unreadable' in reply) {
        await assertReading(node)
        found.set(hash, unreadable)
        continue
      }
      add(reply.result)
      const receipt = found.get(hash)
      const own = operations.get(hash)
      if (reply.trimmed && receipt && own)
        found.set(hash, { ...receipt, succeeded: await readOutcomes(node, block, own) })
    }
  }
  if (found.size < places.size) throw rpcUnavailable(node.chainId)
  return found
}

const receiptCall = (hash: Hex) => ({ method: 'eth_getTransactionReceipt', params: [hash] })

const unreadable: TransactionReceipt = {
  fee: undefined,
  failed: false,
  created: undefined,
  succeeded: new Set(),
}

/**
 * Throws RPC_UNAVAILABLE if the node does not even answer for a transaction that does not exist.
 */
async function assertReading(node: Node): Promise<void> {
  const replies = await requestNode(node, [receiptCall(`0x${'0'.repeat(64)}`)])
  if (replies === 'tooLarge' || replies.some(isRefused)) throw rpcUnavailable(node.chainId)
}

/** The user operations in a block that succeeded, among those given. */
async function readOutcomes(node: Node, { hash }: ChainBlock, operations: readonly Hex[]) {
  const filter = { blockHash: hash, address: entryPoint, topics: [operationTopic, operations] }
  const [logs] = await requestAll(node, [{ method: 'eth_getLogs', params: [filter] }])
  return readSucceeded(logs)
}

/** Blocks in groups that one response can hold. */
function splitIntoBodies(requests: readonly ReceiptsRequest[]): ReceiptsRequest[][] {
  const bodies: ReceiptsRequest[][] = []
  let count = Number.POSITIVE_INFINITY
  for (const one of requests) {
    count += one.transactionCount
    if (count > transactionsPerBody) {
      bodies.push([])
      count = one.transactionCount
    }
    bodies.at(-1)?.push(one)
  }
  return bodies
}

/**
 * The receipts of whole blocks; empty if a node does not support that, or if the response is too
 * large.
 */
async function readWhole(
  node: Node,
  requests: readonly ReceiptsRequest[],
  pace: ReceiptPace,
): Promise<(readonly unknown[])[]> {
  const calls = requests.map(({ block }) => ({
    method: 'eth_getBlockReceipts',
    params: [toQuantity(block.number)],
  }))
  const replies = await requestNode(node, calls)
  if (replies === 'tooLarge') return []
  if (replies.some(isRefused)) pace.wholeBlocks = false
  return replies.flatMap((reply) =>
    'result' in reply && reply.result !== null ? [parseList(reply.result)] : [],
  )
}

function parseReceipt(fields: Readonly<Record<string, unknown>>): TransactionReceipt {
  // Rollups also charge for their data on the parent chain.
  const [price, below] = ['effectiveGasPrice', 'l1Fee'].map((name) =>
    fields[name] === null || fields[name] === undefined ? 0n : bigField(fields, name),
  )
  return {
    fee: bigField(fields, 'gasUsed') * (price ?? 0n) + (below ?? 0n),
    failed: fields.status === '0x0',
    created: optionalHex(fields, 'contractAddress', 20),
    succeeded: readSucceeded(fields.logs ?? []),
  }
}
