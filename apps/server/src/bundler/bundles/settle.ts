import type { Hex } from 'viem'
import * as z from 'zod'
import { toQuantity } from '../../evm/hex.ts'
import { hexHash, hexQuantity } from '../../evm/schemas.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { ChainBundler } from '../chainBundler.ts'
import {
  findOperations,
  includeOperations,
  returnOperations,
  type StoredOperation,
} from '../mempool/operationStore.ts'
import { entryPoint } from '../operations/userOperation.ts'
import { type Bundle, type OpenBundle, settleBundle } from './bundleStore.ts'
import { findGuilty, readSenders } from './findGuilty.ts'
import { blame } from './offenders.ts'
import { doneTopic, type OperationEvent, parseLogs, readEvents } from './readReceipt.ts'

const mined = z.object({ hash: hexHash, blockNumber: hexQuantity, blockHash: hexHash })
/** The block of a mined transaction. */
export type Mined = z.infer<typeof mined>

/**
 * Parses the block of a transaction from `eth_getTransactionByHash`; undefined if the transaction
 * is in no block.
 */
export const parseMined = (result: unknown): Mined | undefined => mined.safeParse(result).data

const outcome = z.object({ status: hexQuantity, gasUsed: hexQuantity })

/**
 * Stores the outcome of a bundle, after one version is in a block. Requests only the EntryPoint's
 * events for the bundle's accounts, because the logs of the calls can be larger than any response.
 * Operations that were not executed wait again. Throws RPC_UNAVAILABLE, also if the node does not
 * know the block's logs yet.
 */
export async function settle(chain: ChainBundler, bundle: OpenBundle, at: Mined): Promise<void> {
  const { versions, operations } = bundle
  const { hash, blockNumber: block, blockHash } = at
  const version = versions.find((one) => one.hash === hash)
  if (!version) throw rpcUnavailable(chain.chainId)
  const senders = readSenders(version.raw)
  const events = senders.length === 0 ? [] : await findEvents(chain, { at, senders })
  const done = events.map((one) => ({ ...one, paidGas: one.actualGasUsed }))
  await includeOperations(chain, { bundleHash: hash, done })
  const left = (isMined: boolean) =>
    operations.flatMap((one) => ((one.version === hash) === isMined ? [one.hash] : []))
  await returnOperations(chain, left(false))
  const hasReverted = senders.length > 0 && events.length === 0
  const lostGas = hasReverted ? await readLostGas(chain, hash) : undefined
  if (hasReverted) await returnReverted(chain, { version, hashes: left(true) })
  else await returnOperations(chain, left(true))
  await settleBundle(chain, {
    versions,
    mined: { hash, block, blockHash, ...(lostGas !== undefined && { lostGas }) },
  })
}

/**
 * Returns the operations of a reverted bundle to the mempool: the guilty operation alone and after
 * a pause, or all operations alone if it is unknown which is guilty. If another transaction has
 * executed the guilty operation, an attacker may have copied it, so its account is not blamed.
 */
async function returnReverted(
  chain: ChainBundler,
  { version, hashes }: { readonly version: Bundle; readonly hashes: readonly Hex[] },
): Promise<void> {
  const guilty = await findGuilty(chain, version)
  const stored = (await findOperations(chain, hashes)).flatMap((one) => one ?? [])
  const isGuilty = ({ operation }: StoredOperation) =>
    operation.sender === guilty?.sender && operation.nonce === guilty.nonce
  const suspects = stored.filter((one) => !guilty || isGuilty(one)).map(({ hash }) => hash)
  await returnOperations(chain, suspects, { together: 1 })
  await returnOperations(
    chain,
    hashes.filter((hash) => !suspects.includes(hash)),
  )
  if (!guilty) return
  for (const one of stored.filter(isGuilty)) if (await includeElsewhere(chain, one)) return
  await blame(chain, guilty.entity)
  chain.log.warn({ bundle: version.hash, entity: guilty.entity }, 'a bundle was reverted')
}

/**
 * The EntryPoint's events about operations of these accounts in a transaction. Throws
 * RPC_UNAVAILABLE if the node does not know them yet.
 */
export async function findEvents(
  { ask, chainId }: ChainBundler,
  { at, senders }: { readonly at: Mined; readonly senders: readonly Hex[] },
): Promise<OperationEvent[]> {
  const topics = [doneTopic, null, senders.map(toTopic)]
  const filter = { address: entryPoint, topics, blockHash: at.blockHash }
  const [reply] = await ask([{ method: 'eth_getLogs', params: [filter] }])
  const logs = parseLogs(reply?.result)
  if (!logs) throw rpcUnavailable(chainId)
  return readEvents(logs.filter(({ transactionHash }) => transactionHash === at.hash))
}

/** Blocks in which the bundler looks for an operation that another account sent. */
const lookedBlocks = 128n

/**
 * Whether another transaction has executed an operation whose nonce is used. Operations are public,
 * so other accounts can send them. The client then gets that receipt.
 */
export async function includeElsewhere(
  chain: ChainBundler,
  { hash, operation }: Pick<StoredOperation, 'hash' | 'operation'>,
): Promise<boolean> {
  const [head] = await chain.ask([{ method: 'eth_blockNumber', params: [] }])
  const now = hexQuantity.parse(head?.result)
  const from = now > lookedBlocks ? now - lookedBlocks : 0n
  const filter = {
    address: entryPoint,
    topics: [doneTopic, hash, toTopic(operation.sender)],
    fromBlock: toQuantity(from),
    toBlock: 'latest',
  }
  const [reply] = await chain.ask([{ method: 'eth_getLogs', params: [filter] }])
  const log = parseLogs(reply?.result)?.[0]
  if (!log) return false
  await includeOperations(chain, { bundleHash: log.transactionHash, done: readEvents([log]) })
  return true
}

const toTopic = (account: Hex): Hex => `0x${'0'.repeat(24)}${account.slice(2)}`

/** Gas of a transaction that reverted: it has no logs, so its receipt is small. */
async function readLostGas({ ask, chainId }: ChainBundler, hash: Hex): Promise<bigint> {
  const [reply] = await ask([{ method: 'eth_getTransactionReceipt', params: [hash] }])
  const receipt = outcome.safeParse(reply?.result)
  // If the node reports success, it does not have the logs yet.
  if (!receipt.success || receipt.data.status !== 0n) throw rpcUnavailable(chainId)
  return receipt.data.gasUsed
}
