import { decodeEventLog, type Hex, toEventSelector } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { z } from 'zod'
import { toQuantity } from '../evm/hex.ts'
import { hexAddress, hexHash } from '../evm/schemas.ts'
import { entryPoint } from './userOperation.ts'

const log = z.looseObject({
  address: hexAddress,
  topics: z.array(hexHash),
  data: z.string().regex(/^0x[0-9a-f]*$/i),
})
const receipt = z.looseObject({ transactionHash: hexHash, logs: z.array(log) })
/** A transaction's receipt as a node gave it. */
export type Receipt = z.infer<typeof receipt>

/** The receipt, or undefined if there is none yet. */
export const parseReceipt = (value: unknown): Receipt | undefined => receipt.safeParse(value).data

type OperationEvent = {
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

const started = toEventSelector('event BeforeExecution()')

/** The operations that a transaction carried out, each with the logs that it made. */
export function readEvents({ logs }: Receipt): OperationEvent[] {
  const events: OperationEvent[] = []
  let own: Receipt['logs'] = []
  let reason: Hex | undefined
  for (const one of logs) {
    const event = one.address === entryPoint ? decode(one) : undefined
    if (one.address === entryPoint && one.topics[0] === started) own = []
    else if (event?.eventName === 'UserOperationRevertReason') reason = event.args.revertReason
    else if (event?.eventName !== 'UserOperationEvent') own.push(one)
    else {
      const { userOpHash, ...args } = event.args
      events.push({ ...args, hash: userOpHash.toLowerCase() as Hex, logs: own, reason })
      own = []
      reason = undefined
    }
  }
  return events
}

function decode({ topics, data }: Receipt['logs'][number]) {
  try {
    return decodeEventLog({
      abi: entryPoint08Abi,
      topics: topics as [Hex, ...Hex[]],
      data: data as Hex,
    })
  } catch {
    return undefined
  }
}

/** `eth_getUserOperationReceipt`'s answer (ERC-7769), or null where the transaction did not carry the operation. */
export function formatReceipt(transaction: Receipt, hash: string): object | null {
  const event = readEvents(transaction).find((one) => one.hash === hash)
  if (!event) return null
  return {
    userOpHash: event.hash,
    entryPoint,
    sender: event.sender,
    nonce: toQuantity(event.nonce),
    ...(BigInt(event.paymaster) !== 0n && { paymaster: event.paymaster }),
    actualGasCost: toQuantity(event.actualGasCost),
    actualGasUsed: toQuantity(event.actualGasUsed),
    success: event.success,
    ...(event.reason !== undefined && { reason: event.reason }),
    logs: event.logs,
    receipt: transaction,
  }
}
