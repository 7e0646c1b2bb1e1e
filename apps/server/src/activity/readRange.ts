import type { Node } from './askNode.ts'
import { decodeTransfers } from './decodeTransfers.ts'
import { bigField, fieldsOf, hexField, numberField, optionalHex } from './nodeShapes.ts'
import { type FullBlock, type Pace, readBlocks } from './readBlocks.ts'
import { type LogPace, readLogs } from './readLogs.ts'
import { type ReceiptPace, readReceipts, type SeenReceipt } from './readReceipts.ts'
import type { Hex, SeenLog, SeenRange, SeenTransaction } from './seen.ts'

/** What was learned of how much a chain's nodes give at once. */
export type Paces = Pace & LogPace & ReceiptPace

export const newPaces = (): Paces => ({ blocksPerBody: 8, logBlocks: 256, wholeBlocks: true })

/** Everything that concerns `addresses` in the blocks `from` to `to`. Throws RPC_UNAVAILABLE, TypeError. */
export async function readRange(
  node: Node,
  parameters: {
    readonly from: number
    readonly to: number
    readonly addresses: ReadonlySet<Hex>
    readonly paces: Paces
  },
): Promise<SeenRange> {
  const { from, to, addresses, paces } = parameters
  const full = await readBlocks(node, { from, to, pace: paces })
  const blocks = full.map(({ block }) => block)
  const logs = await readLogs(node, { blocks, addresses: [...addresses], pace: paces })
  const byTransaction = groupLogs(logs)
  const transactions: SeenTransaction[] = []
  for (const one of full)
    transactions.push(...(await readBlock(node, one, { addresses, byTransaction, paces })))
  const transactionCount = full.reduce((sum, one) => sum + one.transactions.length, 0)
  return { blocks, transactions, transactionCount }
}

const keyOf = (block: number, index: number) => `${block} ${index}`

function groupLogs(logs: readonly SeenLog[]): Map<string, SeenLog[]> {
  const groups = new Map<string, SeenLog[]>()
  for (const log of logs) {
    const key = keyOf(log.blockNumber, log.transactionIndex)
    const group = groups.get(key)
    if (group) group.push(log)
    else groups.set(key, [log])
  }
  return groups
}

async function readBlock(
  node: Node,
  { block, transactions }: FullBlock,
  context: {
    readonly addresses: ReadonlySet<Hex>
    readonly byTransaction: ReadonlyMap<string, readonly SeenLog[]>
    readonly paces: Paces
  },
): Promise<SeenTransaction[]> {
  const { addresses, byTransaction, paces } = context
  const concerns = (address: unknown) =>
    typeof address === 'string' && addresses.has(address.toLowerCase() as Hex)
  const hashes = new Map<number, Hex>()
  const matched: [index: number, json: unknown][] = []
  for (const [index, json] of transactions.entries()) {
    const fields = fieldsOf(json)
    const own = concerns(fields.from) || concerns(fields.to)
    if (own) hashes.set(index, hexField(fields, 'hash', 32))
    if (own || byTransaction.has(keyOf(block.number, index))) matched.push([index, json])
  }
  if (matched.length === 0) return []
  const receipts =
    hashes.size === 0 ? undefined : await readReceipts(node, { block, hashes }, paces)
  return matched.map(([index, json]) => ({
    ...factsOf(json, index, receipts?.get(index)),
    block,
    transfers: (byTransaction.get(keyOf(block.number, index)) ?? []).flatMap(decodeTransfers),
  }))
}

function factsOf(json: unknown, index: number, receipt: SeenReceipt | undefined) {
  const fields = fieldsOf(json)
  if (numberField(fields, 'transactionIndex') !== index)
    throw new TypeError('The node sent transactions out of order')
  const input = hexField(fields, 'input')
  const to = optionalHex(fields, 'to', 20)
  return {
    index,
    hash: hexField(fields, 'hash', 32),
    from: hexField(fields, 'from', 20),
    to,
    created: to === undefined ? receipt?.created : undefined,
    nonce: numberField(fields, 'nonce'),
    value: bigField(fields, 'value'),
    fee: receipt?.fee,
    selector: input.length >= 10 && to !== undefined ? (input.slice(0, 10) as Hex) : undefined,
    failed: receipt?.failed ?? false,
  }
}
