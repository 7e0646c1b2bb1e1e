import { type Hex, toQuantity } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { ActivityTransfer } from '../activity.ts'
import { isRefused, type Node, requestNode } from './askNode.ts'
import type { ChainBlock } from './chainData.ts'
import { bigField, hexField, parseFields, parseList } from './parseFields.ts'
import { readCallTraces } from './readCallTraces.ts'
import type { PlacedPayment, TracedBlocks, TracePace } from './tracePayments.ts'

/** After this many refusals the nodes do not have the method; fewer can be of a node that lags. */
const maxRefusals = 3

/** The blocks whose traces are requested together, of at most this many transactions. */
const transactionsPerBody = 500

/**
 * Native currency that contracts paid to accounts, by block and by index of the transaction in the
 * block.
 */
export type ContractPayments = ReadonlyMap<number, ReadonlyMap<number, readonly ActivityTransfer[]>>

/**
 * Reads what contracts paid to `addresses` in some blocks from traces. Empty if the nodes do not
 * have traces; a block whose traces are too large for a response, or in another form, is left out:
 * its payments are found by comparing balances (`follow/balances/weighBalances.ts`). Throws
 * RPC_UNAVAILABLE.
 */
export async function readContractPayments(
  node: Node,
  blocks: TracedBlocks,
  { addresses, pace }: { readonly addresses: ReadonlySet<Hex>; readonly pace: TracePace },
): Promise<ContractPayments> {
  const found = new Map<number, ReadonlyMap<number, readonly ActivityTransfer[]>>()
  const filled = blocks.filter(({ transactions }) => transactions.length > 0)
  for (const part of splitIntoBodies(filled)) {
    const name = chooseCount(node, pace)
    if (name === undefined) return found
    const read = name === 'refusedTraces' ? readTraces : readCallTraces
    try {
      for (const [block, payments] of await read(node, part, pace))
        found.set(block.number, sumPayments(payments, addresses))
    } catch (error) {
      // Traces that cannot be parsed are ignored, and the rest of the block is still read.
      if (!(error instanceof TypeError)) throw error
      pace[name]++
    }
  }
  return found
}

/** Whether traces of further blocks are requested. */
export const hasTraces = (node: Node, pace: TracePace): boolean =>
  chooseCount(node, pace) !== undefined

/** The count of the method that is requested next; undefined if the nodes have neither. */
function chooseCount(node: Node, pace: TracePace) {
  if (node.traces === false) return undefined
  const names = ['refusedTraces', 'refusedCallTraces'] as const
  return names.find((name) => pace[name] < maxRefusals)
}

function splitIntoBodies(blocks: TracedBlocks): TracedBlocks[] {
  const bodies: TracedBlocks[number][][] = []
  let count = Number.POSITIVE_INFINITY
  for (const one of blocks) {
    count += one.transactions.length
    if (count > transactionsPerBody) {
      bodies.push([])
      count = one.transactions.length
    }
    bodies.at(-1)?.push(one)
  }
  return bodies
}

async function readTraces(
  node: Node,
  blocks: TracedBlocks,
  pace: TracePace,
): Promise<[ChainBlock, PlacedPayment[]][]> {
  const calls = blocks.map(({ block }) => ({
    method: 'trace_block',
    params: [toQuantity(block.number)],
  }))
  const replies = await requestNode(node, calls)
  if (replies === 'tooLarge') {
    if (blocks.length === 1) return []
    const middle = Math.ceil(blocks.length / 2)
    const first = await readTraces(node, blocks.slice(0, middle), pace)
    return [...first, ...(await readTraces(node, blocks.slice(middle), pace))]
  }
  pace.refusedTraces = replies.some(isRefused) ? pace.refusedTraces + 1 : 0
  return replies.flatMap((reply, index) => {
    const block = blocks[index]?.block
    if (!block || !('result' in reply) || reply.result === null) return []
    return [[block, findPayments(parseTraces(node, block, reply.result))]]
  })
}

/**
 * The traces of a block, which must be of that block: another node may have another one at its
 * height.
 */
function parseTraces(node: Node, block: ChainBlock, json: unknown): readonly unknown[] {
  const traces = parseList(json)
  for (const trace of traces)
    if (hexField(parseFields(trace), 'blockHash', 32) !== block.hash)
      throw rpcUnavailable(node.chainId)
  return traces
}

/** Sums payments to some accounts by contract and account. */
function sumPayments(
  payments: readonly PlacedPayment[],
  addresses: ReadonlySet<Hex>,
): Map<number, ActivityTransfer[]> {
  const found = new Map<number, ActivityTransfer[]>()
  for (const { index, payment } of payments) {
    if (!addresses.has(payment.to) || payment.from === payment.to) continue
    const own = found.get(index) ?? []
    const at = own.findIndex(({ from, to }) => from === payment.from && to === payment.to)
    const before = own[at]
    if (before) own[at] = { ...before, amount: before.amount + payment.amount }
    else own.push(payment)
    found.set(index, own)
  }
  return found
}

/** The payments of traces, without failed calls and the calls within them. */
function findPayments(traces: readonly unknown[]): PlacedPayment[] {
  const found: PlacedPayment[] = []
  let failed = ''
  for (const trace of traces) {
    const fields = parseFields(trace)
    const position = fields.transactionPosition
    // Rewards of a block belong to no transaction.
    if (typeof position !== 'number') continue
    const path = `${[position, ...parseList(fields.traceAddress)].join('.')}.`
    if (failed !== '' && path.startsWith(failed)) continue
    failed = typeof fields.error === 'string' ? path : ''
    if (failed !== '' || parseList(fields.traceAddress).length === 0) continue
    const payment = readPayment(fields)
    if (payment) found.push({ index: position, payment })
  }
  return found
}

function readPayment({
  type,
  action,
}: Readonly<Record<string, unknown>>): ActivityTransfer | undefined {
  const fields = parseFields(action)
  const native = { standard: 'native', contract: undefined, tokenId: undefined } as const
  if (type === 'suicide') {
    const [from, to] = [hexField(fields, 'address', 20), hexField(fields, 'refundAddress', 20)]
    const amount = bigField(fields, 'balance')
    return amount > 0n ? { ...native, from, to, amount } : undefined
  }
  if (type !== 'call' || fields.callType !== 'call') return undefined
  const amount = bigField(fields, 'value')
  if (amount === 0n) return undefined
  return { ...native, from: hexField(fields, 'from', 20), to: hexField(fields, 'to', 20), amount }
}
