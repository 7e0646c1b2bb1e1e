import { toQuantity } from '../../evm/hex.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import { isRefused, type Node, requestNode } from './askNode.ts'
import type { ChainBlock } from './chainData.ts'
import { bigField, hexField, parseFields, parseList } from './parseFields.ts'
import type { PlacedPayment, TracedBlocks, TracePace } from './tracePayments.ts'

type Payments = [ChainBlock, PlacedPayment[]][]

/**
 * Reads what contracts paid in some blocks from `debug_traceBlockByNumber`. Throws RPC_UNAVAILABLE,
 * TypeError.
 */
export async function readCallTraces(
  node: Node,
  all: TracedBlocks,
  pace: TracePace,
): Promise<Payments> {
  const blocks = all.filter(({ block }) => block.number > pace.untraceable)
  const calls = blocks.map(({ block }) => ({
    method: 'debug_traceBlockByNumber',
    params: [toQuantity(block.number), { tracer: 'callTracer' }],
  }))
  const replies = await requestNode(node, calls)
  if (replies === 'tooLarge') {
    if (blocks.length === 1) return []
    const middle = Math.ceil(blocks.length / 2)
    const first = await readCallTraces(node, blocks.slice(0, middle), pace)
    return [...first, ...(await readCallTraces(node, blocks.slice(middle), pace))]
  }
  if (replies.length > 0)
    pace.refusedCallTraces = replies.some(isRefused) ? pace.refusedCallTraces + 1 : 0
  return replies.flatMap((reply, index): Payments => {
    const one = blocks[index]
    if (!one) return []
    const { block, transactions } = one
    if (!('result' in reply)) {
      pace.untraceable = Math.max(pace.untraceable, block.number)
      return []
    }
    return [[block, parseBlockTraces(node, reply.result, transactions)]]
  })
}

/**
 * The payments of a block's traces, which must be of the same transactions: another node may have
 * another block at that height.
 */
function parseBlockTraces(
  node: Node,
  json: unknown,
  transactions: readonly unknown[],
): PlacedPayment[] {
  const traces = parseList(json)
  if (traces.length !== transactions.length) throw rpcUnavailable(node.chainId)
  return traces.flatMap((trace, index) => {
    const { txHash, result } = parseFields(trace)
    const hash = hexField(parseFields(transactions[index]), 'hash', 32)
    if (hexField({ txHash }, 'txHash', 32) !== hash) throw rpcUnavailable(node.chainId)
    return findPayments(result).map((payment) => ({ index, payment }))
  })
}

/**
 * The payments within the outermost call of a transaction, without the payments of failed calls.
 */
function findPayments(root: unknown): PlacedPayment['payment'][] {
  const found: PlacedPayment['payment'][] = []
  const open = [root]
  for (let frame = open.pop(); frame !== undefined; frame = open.pop()) {
    const fields = parseFields(frame)
    if (fields.error !== undefined && fields.error !== null) continue
    const payment = frame === root ? undefined : readPayment(fields)
    if (payment) found.push(payment)
    open.push(...parseList(fields.calls ?? []))
  }
  return found
}

function readPayment(
  fields: Readonly<Record<string, unknown>>,
): PlacedPayment['payment'] | undefined {
  if (fields.type !== 'CALL' && fields.type !== 'SELFDESTRUCT') return undefined
  const amount = fields.value === undefined ? 0n : bigField(fields, 'value')
  if (amount === 0n) return undefined
  const [from, to] = [hexField(fields, 'from', 20), hexField(fields, 'to', 20)]
  return { standard: 'native', contract: undefined, tokenId: undefined, from, to, amount }
}
