import {
  decodeAbiParameters,
  getAddress,
  type Hex,
  parseAbiParameters,
  slice,
  toEventSelector,
} from 'viem'
import { z } from 'zod'
import { hexAddress, hexHash } from '../../evm/schemas.ts'
import { entryPoint } from '../operations/userOperation.ts'

const log = z.looseObject({
  address: hexAddress,
  topics: z.array(hexHash),
  data: z.string().regex(/^0x[0-9a-f]*$/i),
})
const logsOfBlock = z.array(z.looseObject({ ...log.shape, transactionHash: hexHash }))
const receipt = z.looseObject({ transactionHash: hexHash, logs: z.array(log) })
/** A transaction's receipt from a node. */
export type BundleReceipt = z.infer<typeof receipt>

/** The receipt, or undefined if the transaction has no receipt yet. */
export const parseReceipt = (value: unknown): BundleReceipt | undefined =>
  receipt.safeParse(value).data

/** The logs in an `eth_getLogs` result, or undefined if the result is invalid. */
export const parseLogs = (value: unknown) => logsOfBlock.safeParse(value).data

/** The EntryPoint's event about an operation that it executed. */
export type OperationEvent = {
  readonly hash: Hex
  readonly sender: Hex
  readonly paymaster: Hex
  readonly nonce: bigint
  readonly success: boolean
  readonly actualGasCost: bigint
  readonly actualGasUsed: bigint
  readonly logs: BundleReceipt['logs']
  readonly reason: Hex | undefined
}

// Computed once: to decode a log by the whole ABI hashes all of its signatures again.
const started = toEventSelector('event BeforeExecution()')
/** The topic of the event that ends each operation. */
export const doneTopic = toEventSelector(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
)
const doneData = parseAbiParameters('uint256, bool, uint256, uint256')
const reverted = toEventSelector(
  'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
)
const revertedData = parseAbiParameters('uint256, bytes')

/**
 * The operations that a transaction executed, each with its own logs. Throws if an EntryPoint log
 * is not a known event.
 */
export function readEvents(logs: BundleReceipt['logs']): OperationEvent[] {
  const events: OperationEvent[] = []
  let own: BundleReceipt['logs'] = []
  let reason: Hex | undefined
  for (const one of logs) {
    const [topic, hash = '0x', sender = '0x', paymaster = '0x'] =
      one.address === entryPoint ? one.topics : []
    if (topic === started) own = []
    else if (topic === reverted) reason = decodeAbiParameters(revertedData, one.data as Hex)[1]
    else if (topic !== doneTopic) own.push(one)
    else {
      const [nonce, success, actualGasCost, actualGasUsed] = decodeAbiParameters(
        doneData,
        one.data as Hex,
      )
      const facts = { nonce, success, actualGasCost, actualGasUsed, logs: own, reason }
      events.push({ ...facts, hash, sender: toAddress(sender), paymaster: toAddress(paymaster) })
      own = []
      reason = undefined
    }
  }
  return events
}

/** The address in a topic. */
const toAddress = (topic: Hex) => getAddress(slice(topic, 12))
