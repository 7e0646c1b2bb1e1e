import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseTransaction } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import * as z from 'zod'
import { hexHash, hexQuantity } from '../../evm/schemas.ts'
import { rpcUnavailable } from '../../nodes/rpcUnavailable.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { includeOperations, returnOperations } from '../operations/operationStore.ts'
import { entryPoint } from '../operations/userOperation.ts'
import { type OpenBundle, settleBundle } from './bundleStore.ts'
import { doneTopic, type OperationEvent, parseLogs, readEvents } from './readReceipt.ts'

const mined = z.object({ hash: hexHash, blockNumber: hexQuantity, blockHash: hexHash })
/** Where a transaction was mined. */
export type Mined = z.infer<typeof mined>

/** Where a transaction was mined, from `eth_getTransactionByHash`; undefined if it is in no block. */
export const parseMined = (result: unknown): Mined | undefined => mined.safeParse(result).data

const outcome = z.object({ status: hexQuantity, gasUsed: hexQuantity })

/**
 * Stores how a bundle ended of which a version is in a block. It asks for the EntryPoint's events of its own accounts only: the logs of
 * the calls can be larger than any answer. Operations that were not carried out wait again. Throws RPC_UNAVAILABLE, also if the node
 * does not know the block's logs yet.
 */
export async function settle(chain: ChainBundler, bundle: OpenBundle, at: Mined): Promise<void> {
  const { versions, operations } = bundle
  const { hash, blockNumber: block, blockHash } = at
  const version = versions.find((one) => one.hash === hash)
  if (!version) throw rpcUnavailable(chain.chainId)
  const senders = readSenders(version.raw)
  const events = senders.length === 0 ? [] : await findEvents(chain, { at, senders })
  await includeOperations(chain, { bundleHash: hash, done: events })
  const left = (isMined: boolean) =>
    operations.flatMap((one) => ((one.version === hash) === isMined ? [one.hash] : []))
  await returnOperations(chain, left(false))
  const hasReverted = senders.length > 0 && events.length === 0
  const lostGas = hasReverted ? await readLostGas(chain, hash) : undefined
  // Which one failed is not known, so each is sent alone.
  await returnOperations(chain, left(true), hasReverted ? { together: 1 } : {})
  await settleBundle(chain, {
    versions,
    mined: { hash, block, blockHash, ...(lostGas !== undefined && { lostGas }) },
  })
}

/** The EntryPoint's events about operations of these accounts in a transaction. Throws RPC_UNAVAILABLE if the node does not know them yet. */
export async function findEvents(
  { ask, chainId }: ChainBundler,
  { at, senders }: { readonly at: Mined; readonly senders: readonly Hex[] },
): Promise<OperationEvent[]> {
  const topics = [doneTopic, null, senders.map((sender) => `0x${'0'.repeat(24)}${sender.slice(2)}`)]
  const filter = { address: entryPoint, topics, blockHash: at.blockHash }
  const [reply] = await ask([{ method: 'eth_getLogs', params: [filter] }])
  const logs = parseLogs(reply?.result)
  if (!logs) throw rpcUnavailable(chainId)
  return readEvents(logs.filter(({ transactionHash }) => transactionHash === at.hash))
}

/** Gas of a transaction that reverted: it has no logs, so its receipt is small. */
async function readLostGas({ ask, chainId }: ChainBundler, hash: Hex): Promise<bigint> {
  const [reply] = await ask([{ method: 'eth_getTransactionReceipt', params: [hash] }])
  const receipt = outcome.safeParse(reply?.result)
  // A node that says it succeeded does not know its logs yet.
  if (!receipt.success || receipt.data.status !== 0n) throw rpcUnavailable(chainId)
  return receipt.data.gasUsed
}

/** The accounts whose operations a signed bundle carries, in lower case; none if it only ends delegations. */
function readSenders(raw: Hex): Address[] {
  const { to, data } = parseTransaction(raw)
  if (!to || !data || !isAddressEqual(to, entryPoint)) return []
  const { functionName, args } = decodeFunctionData({ abi: entryPoint08Abi, data })
  if (functionName !== 'handleOps') return []
  return args[0].map(({ sender }) => sender.toLowerCase() as Address)
}
