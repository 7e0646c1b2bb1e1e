import { isError } from '@latchkey/wire'
import type { Hex } from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import { toQuantity } from '../../evm/hex.ts'
import type { ChainBundler } from '../chainBundler.ts'
import type { StoredOperation } from '../mempool/operationStore.ts'
import { type BundleReceipt, type OperationEvent, parseReceipt, readEvents } from './readReceipt.ts'
import { findEvents, parseMined } from './settle.ts'

/**
 * If the logs of a transaction have more characters than this, they are left out. Otherwise, an
 * unrelated call in the same transaction could make the response arbitrarily large.
 */
const maxLogs = 1_000_000

/** The transaction that carries an operation, from a node; undefined if it is in no block. */
export async function findTransaction(
  { ask }: ChainBundler,
  { bundleHash }: Pick<StoredOperation, 'bundleHash'>,
): Promise<Transaction | undefined> {
  if (bundleHash === undefined) return undefined
  const [reply] = await ask([{ method: 'eth_getTransactionByHash', params: [bundleHash] }])
  const mined = parseMined(reply?.result)
  return mined && { mined, fields: reply?.result as Readonly<Record<string, unknown>> }
}

type Transaction = {
  readonly mined: NonNullable<ReturnType<typeof parseMined>>
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * The result of `eth_getUserOperationReceipt` (ERC-7769), or null while no block has the operation.
 * If the transaction has more logs than fit into a response, `logs` is empty. Throws
 * RPC_UNAVAILABLE.
 */
export async function answerReceipt(
  chain: ChainBundler,
  stored: StoredOperation,
): Promise<object | null> {
  const transaction = await findTransaction(chain, stored)
  if (!transaction) return null
  const { mined } = transaction
  const receipt = await readReceipt(chain, mined.hash)
  const { sender } = stored.operation
  const events = receipt
    ? readEvents(receipt.logs)
    : await findEvents(chain, { at: mined, senders: [sender] })
  const isOwn = (one: OperationEvent) =>
    one.sender.toLowerCase() === sender && one.nonce === stored.operation.nonce
  const event = events.find(isOwn)
  if (!event) return null
  const isLarge = !receipt || isLong(receipt.logs)
  return {
    userOpHash: stored.hash,
    entryPoint: entryPoint08Address,
    sender: event.sender,
    nonce: toQuantity(event.nonce),
    ...(BigInt(event.paymaster) !== 0n && { paymaster: event.paymaster }),
    actualGasCost: toQuantity(event.actualGasCost),
    actualGasUsed: toQuantity(event.actualGasUsed),
    success: event.success,
    ...(event.reason !== undefined && { reason: event.reason }),
    logs: receipt && !isLong(event.logs) ? event.logs : [],
    receipt: isLarge ? { ...(receipt ?? describe(transaction)), logs: [] } : receipt,
  }
}

const isLong = (logs: BundleReceipt['logs']) => JSON.stringify(logs).length > maxLogs

/** The whole receipt; undefined if it exceeds the size limit for responses of nodes. */
async function readReceipt({ ask }: ChainBundler, hash: Hex): Promise<BundleReceipt | undefined> {
  try {
    const [reply] = await ask([{ method: 'eth_getTransactionReceipt', params: [hash] }])
    return parseReceipt(reply?.result)
  } catch (error) {
    if (isError(error, 'RPC_UNAVAILABLE')) return undefined
    throw error
  }
}

/**
 * The fields of a receipt that are known without it: a transaction that executed an operation has
 * succeeded.
 */
const describe = ({ fields }: Transaction) => ({
  transactionHash: fields.hash,
  transactionIndex: fields.transactionIndex,
  blockHash: fields.blockHash,
  blockNumber: fields.blockNumber,
  from: fields.from,
  to: fields.to,
  type: fields.type,
  contractAddress: null,
  status: '0x1',
})
