import { parseChainId } from '@latchkey/wire'
import type { Hex } from '../../evm/hex.ts'
import type { ActivityTransfer } from '../activity.ts'
import type { Node } from './askNode.ts'
import { addUnread, type BlockRange, type ChainLog, type UnreadBlocks } from './chainData.ts'
import { decodeApproval } from './decodeApprovals.ts'
import { type CarriedOperation, decodeOperations, findSponsored } from './decodeOperations.ts'
import { decodeLogs } from './decodeTransfers.ts'
import { decodeWrapping } from './decodeWrapping.ts'
import { bigField, hexField, numberField, optionalHex, parseFields } from './parseFields.ts'
import { type BlockPace, type FullBlock, readBlocks } from './readBlocks.ts'
import { type LogPace, readLogs } from './readLogs.ts'
import {
  type ReceiptPace,
  type ReceiptsRequest,
  readReceipts,
  type TransactionReceipt,
} from './readReceipts.ts'
import { type ContractPayments, readContractPayments } from './readTraces.ts'
import type { TracePace } from './tracePayments.ts'

/** How much a chain's nodes have returned in one response so far. */
export type Paces = BlockPace & LogPace & ReceiptPace & TracePace

export const createPaces = (): Paces => ({
  blocksPerBody: 8,
  logBlocks: 256,
  wholeBlocks: true,
  refusedTraces: 0,
  refusedCallTraces: 0,
  untraceable: -1,
})

/**
 * Everything that concerns `addresses` in the blocks `from` to `to`; of very full blocks only in
 * the first ones. The logs of the addresses that are `setAside` are not read, and the blocks count
 * as unread for them. Throws RPC_UNAVAILABLE, TypeError.
 */
export async function readRange(
  node: Node,
  parameters: {
    readonly from: number
    readonly to: number
    readonly addresses: ReadonlySet<Hex>
    readonly paces: Paces
    readonly setAside: ReadonlySet<Hex>
  },
): Promise<BlockRange> {
  const { from, to, addresses, paces, setAside } = parameters
  const unread: UnreadBlocks = new Map()
  const all = await readBlocks(node, { from, to, pace: paces })
  const { logs, blockCount } = await readLogs(node, {
    blocks: all.map(({ block }) => block),
    addresses: [...addresses].filter((address) => !setAside.has(address)),
    pace: paces,
    unread,
  })
  const full = all.slice(0, blockCount)
  const blocks = full.map(({ block }) => block)
  for (const address of setAside)
    if (addresses.has(address)) for (const { number } of blocks) addUnread(unread, address, number)
  const byTransaction = groupLogs(logs)
  const chainId = Number(parseChainId(node.chainId).reference)
  const payments = await readContractPayments(node, full, { addresses, pace: paces })
  const context = { addresses, byTransaction, payments, chainId }
  const matched = full.map((one) => matchTransactions(one, context))
  const receipts = await readReceipts(node, matched, paces)
  const transactions = matched.flatMap(({ block, found }) =>
    found.map(({ index, json, operations }) => {
      const own = byTransaction.get(transactionKey(block.number, index)) ?? []
      const transaction = parseTransaction(json, index, receipts)
      const carried = getCarriedTransfers(json, { operations, receipts })
      const logged = decodeLogs(own)
      const paid = (payments.get(block.number)?.get(index) ?? []).flatMap((payment) =>
        withoutKnown(payment, carried),
      )
      const known = [...getPayment(transaction), ...carried, ...logged, ...paid]
      const { wrappedNative } = node
      const wrapped = decodeWrapping(own, { wrappedNative, known })
      const transfers = [...carried, ...logged, ...wrapped, ...paid]
      return {
        ...transaction,
        block,
        transfers,
        approvals: own.flatMap((log) => decodeApproval(log) ?? []),
        sponsored: findSponsored(json, transfers),
      }
    }),
  )
  for (const { block, found } of matched)
    for (const address of found.flatMap((one) => getUnknown(one, receipts)))
      if (addresses.has(address)) addUnread(unread, address, block.number)
  const transactionCount = full.reduce((sum, one) => sum + one.transactions.length, 0)
  return { blocks, transactions, transactionCount, unread }
}

const transactionKey = (block: number, index: number) => `${block} ${index}`

function groupLogs(logs: readonly ChainLog[]): Map<string, ChainLog[]> {
  const groups = new Map<string, ChainLog[]>()
  for (const log of logs) {
    const key = transactionKey(log.blockNumber, log.transactionIndex)
    const group = groups.get(key)
    if (group) group.push(log)
    else groups.set(key, [log])
  }
  return groups
}

type Found = {
  readonly index: number
  readonly json: unknown
  readonly operations: readonly CarriedOperation[]
}

/**
 * The transactions of a block that concern a followed account, and the hashes of the transactions
 * whose receipts are needed.
 */
function matchTransactions(
  { block, transactions }: FullBlock,
  context: {
    readonly addresses: ReadonlySet<Hex>
    readonly byTransaction: ReadonlyMap<string, readonly ChainLog[]>
    readonly payments: ContractPayments
    readonly chainId: number
  },
): ReceiptsRequest & { readonly found: Found[] } {
  const { addresses, byTransaction, payments, chainId } = context
  const paid = payments.get(block.number)
  const concerns = (address: unknown) =>
    typeof address === 'string' && addresses.has(address.toLowerCase() as Hex)
  const hashes = new Map<number, Hex>()
  const carried = new Map<Hex, readonly Hex[]>()
  const found: Found[] = []
  for (const [index, json] of transactions.entries()) {
    const fields = parseFields(json)
    const own = concerns(fields.from) || concerns(fields.to)
    const operations = decodeOperations(json, chainId).filter(({ transfers }) =>
      transfers.some(({ from, to }) => addresses.has(from) || addresses.has(to)),
    )
    const needsReceipt = own || operations.length > 0
    if (needsReceipt) hashes.set(index, hexField(fields, 'hash', 32))
    if (operations.length > 0)
      carried.set(
        hexField(fields, 'hash', 32),
        operations.flatMap((one) => one.hashes),
      )
    if (needsReceipt || paid?.has(index) || byTransaction.has(transactionKey(block.number, index)))
      found.push({ index, json, operations })
  }
  return { block, transactionCount: transactions.length, hashes, operations: carried, found }
}

/** The accounts whose receipt could not be read. */
function getUnknown({ json, operations }: Found, receipts: ReadonlyMap<Hex, TransactionReceipt>) {
  const fields = parseFields(json)
  const receipt = receipts.get(hexField(fields, 'hash', 32))
  if (receipt === undefined || receipt.fee !== undefined) return []
  const ends = [hexField(fields, 'from', 20), optionalHex(fields, 'to', 20) ?? []].flat()
  const moved = operations.flatMap((one) => one.transfers.flatMap(({ from, to }) => [from, to]))
  return [...ends, ...moved]
}

/** The native currency that the successful operations of a transaction transferred. */
function getCarriedTransfers(
  json: unknown,
  {
    operations,
    receipts,
  }: Pick<Found, 'operations'> & { readonly receipts: ReadonlyMap<Hex, TransactionReceipt> },
) {
  if (operations.length === 0) return []
  const receipt = receipts.get(hexField(parseFields(json), 'hash', 32))
  return operations.flatMap(({ hashes, transfers }) =>
    hashes.some((hash) => receipt?.succeeded.has(hash)) ? transfers : [],
  )
}

/**
 * The part of a payment that is not already `known` from a user operation; an empty list if nothing
 * is left.
 */
function withoutKnown(
  payment: ActivityTransfer,
  known: readonly ActivityTransfer[],
): ActivityTransfer[] {
  const amount = known
    .filter(
      ({ standard, from, to }) =>
        standard === 'native' && from === payment.from && to === payment.to,
    )
    .reduce((left, one) => left - one.amount, payment.amount)
  return amount > 0n ? [{ ...payment, amount }] : []
}

/** The native currency that a transaction itself sends, which is not in its `transfers`. */
function getPayment({ from, to, value }: ReturnType<typeof parseTransaction>): ActivityTransfer[] {
  if (to === undefined) return []
  return [{ standard: 'native', contract: undefined, tokenId: undefined, from, to, amount: value }]
}

function parseTransaction(
  json: unknown,
  index: number,
  receipts: ReadonlyMap<Hex, TransactionReceipt>,
) {
  const fields = parseFields(json)
  const hash = hexField(fields, 'hash', 32)
  const receipt = receipts.get(hash)
  if (numberField(fields, 'transactionIndex') !== index)
    throw new TypeError('The node sent transactions out of order')
  const input = hexField(fields, 'input')
  const to = optionalHex(fields, 'to', 20)
  return {
    index,
    hash,
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
