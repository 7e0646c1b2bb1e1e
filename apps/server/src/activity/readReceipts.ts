import { askEach, askNode, type Node, unavailable } from './askNode.ts'
import { bigField, fieldsOf, hexField, numberField, optionalHex } from './nodeShapes.ts'
import type { Hex, SeenBlock } from './seen.ts'

/** What only the receipt tells of a transaction. */
export type SeenReceipt = {
  readonly fee: bigint
  readonly failed: boolean
  readonly created: Hex | undefined
}

/** Transactions of one block whose receipts are wanted: their hashes by place in the block. */
export type Wanted = { readonly block: SeenBlock; readonly hashes: ReadonlyMap<number, Hex> }

/** Whether the chain's nodes give the receipts of a whole block at once. */
export type ReceiptPace = { wholeBlocks: boolean }

const perBody = 100
// Fewer are asked for one by one.
const worthWhole = 20

/** The receipts of a block's transactions by place. */
export async function readReceipts(
  node: Node,
  { block, hashes }: Wanted,
  pace: ReceiptPace,
): Promise<Map<number, SeenReceipt>> {
  const whole = pace.wholeBlocks && hashes.size >= worthWhole
  const receipts = (whole && (await readWhole(node, block, pace))) || (await readEach(node, hashes))
  const found = new Map<number, SeenReceipt>()
  for (const json of receipts) {
    const fields = fieldsOf(json)
    const index = numberField(fields, 'transactionIndex')
    if (!hashes.has(index)) continue
    if (hexField(fields, 'blockHash') !== block.hash) throw unavailable(node.chainId)
    found.set(index, receiptOf(fields))
  }
  if (found.size < hashes.size) throw unavailable(node.chainId)
  return found
}

async function readWhole(node: Node, block: SeenBlock, pace: ReceiptPace) {
  const params = [`0x${block.number.toString(16)}`]
  const replies = await askNode(node, [{ method: 'eth_getBlockReceipts', params }])
  if (replies === 'tooLarge') return undefined
  const [reply] = replies
  if (reply !== undefined && 'result' in reply && Array.isArray(reply.result)) return reply.result
  pace.wholeBlocks = false
  return undefined
}

async function readEach(node: Node, hashes: ReadonlyMap<number, Hex>): Promise<unknown[]> {
  const list = [...hashes.values()]
  const receipts: unknown[] = []
  for (let start = 0; start < list.length; start += perBody) {
    const calls = list
      .slice(start, start + perBody)
      .map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
    receipts.push(...(await askEach(node, calls)))
  }
  return receipts
}

function receiptOf(fields: Readonly<Record<string, unknown>>): SeenReceipt {
  const price = optionalHex(fields, 'effectiveGasPrice')
  // What a rollup takes for its place on the chain below comes on top.
  const below = optionalHex(fields, 'l1Fee')
  return {
    fee: bigField(fields, 'gasUsed') * BigInt(price ?? 0) + BigInt(below ?? 0),
    failed: fields.status === '0x0',
    created: optionalHex(fields, 'contractAddress', 20),
  }
}
