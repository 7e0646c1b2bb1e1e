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
/** A transaction's receipt as a node gave it. */
export type Receipt = z.infer<typeof receipt>

/** The receipt, or undefined if there is none yet. */
export const parseReceipt = (value: unknown): Receipt | undefined => receipt.safeParse(value).data

/** Logs as `eth_getLogs` answers them, or undefined if it is no such answer. */
export const parseLogs = (value: unknown) => logsOfBlock.safeParse(value).data

/** What the EntryPoint says about an operation that it carried out. */
export type OperationEvent = {
  readonly hash: Hex
  readonly sender: Hex
  readonly paymaster: Hex
  readonly nonce: bigint
  readonly success: boolean
  readonly actualGasCost: bigint
  readonly actualGasUsed: bigint
  readonly logs: Receipt['logs']
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
 * The operations that a transaction carried out, each with those of the logs that it made. Throws
 * if an EntryPoint's log is none.
 */
export function readEvents(logs: Receipt['logs']): OperationEvent[] {
  const events: OperationEvent[] = []
  let own: Receipt['logs'] = []
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

/** An address of a topic. */
const toAddress = (topic: Hex) => getAddress(slice(topic, 12))
