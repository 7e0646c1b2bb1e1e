import { addGasMargin } from '@latchkey/wire'
import { type Hex, numberToHex, size } from 'viem'
import { hexQuantity } from '../../evm/schemas.ts'
import { BundlerError, describeRevert, isSilent } from '../bundlerError.ts'
import type { ChainBundler } from '../chainBundler.ts'
import { countBytes, getIntrinsicGas } from './byteGas.ts'
import { usesAll } from './gasUse.ts'
import { encodeBundle, getOverrides } from './simulate.ts'
import { getValidationCalls } from './traceValidation.ts'
import { entryPoint, type UserOperation } from './userOperation.ts'

/** Gas for each part of an operation (the result of `eth_estimateUserOperationGas`). */
export type GasEstimate = Pick<
  UserOperation,
  'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'
> & { paymasterVerificationGasLimit?: bigint; paymasterPostOpGasLimit?: bigint }

/** The maximum call gas of an operation; a block of 30 million gas fits two such operations. */
export const maxCallGas = 12_000_000n

/**
 * Gas that the EntryPoint itself uses during validation, including the first use of a nonce key.
 * Measured on EntryPoint 0.8, with a margin.
 */
const validationOverhead = 70_000n
const paymasterOverhead = 25_000n
const transactionGas = 21_000n
/**
 * Gas that the EntryPoint spends outside of the limits; measured for a bundle of one operation:
 * 17,200 and 0.3 for each byte.
 */
const fixedGas = transactionGas + 18_000n
const authorizationGas = 25_000n
/**
 * Gas that every operation pays for in addition to its bytes; measured: 18,800. It covers this part
 * of the floor price of data (EIP-7623).
 */
const leastExecution = 17_000n
/**
 * The least balance that a sender is assumed to have if the caller does not give its state: 100 of
 * the network's currency, in wei.
 */
export const assumedBalance = 100n * 10n ** 18n
const anyone = '0x000000000000000000000000000000000000dEaD'
/**
 * A signature that recovers an unknown account. Contracts revert on a signature with a large `s` or
 * an unknown `v`.
 */
const stub: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`
/**
 * Unknown fields, with the largest possible number of bytes. None is zero, because other bytes cost
 * more.
 */
const widest = {
  callGasLimit: 0xffffffn,
  verificationGasLimit: 0xffffffn,
  preVerificationGas: 0xffffffn,
  maxFeePerGas: 0xffffffffffffn,
  maxPriorityFeePerGas: 0xffffffffffffn,
}

/**
 * Estimates by running the operation's validation and its call on the node, each like the
 * EntryPoint. The sender has `balance`, if given. Throws BundlerError if either of them reverts.
 */
export async function estimateGas(
  { ask, work }: Pick<ChainBundler, 'ask' | 'work'>,
  draft: UserOperation,
  { hash, balance }: { readonly hash: `0x${string}`; readonly balance?: bigint },
): Promise<GasEstimate> {
  const signature = size(draft.signature) === 0 ? stub : draft.signature
  const operation = { ...draft, signature }
  const { sender } = operation
  const delegated = getOverrides([operation])
  const funded =
    balance === undefined
      ? {}
      : { [sender]: { ...delegated[sender], balance: numberToHex(balance) } }
  const overrides = { ...delegated, ...funded }
  const estimate = (call: { from: string; to: string; data: string }, gas: bigint) => ({
    method: 'eth_estimateGas',
    params: [{ ...call, gas: numberToHex(gas + getIntrinsicGas(call.data)) }, 'latest', overrides],
  })
  // An account that pays for itself transfers the missing deposit. The gas for that is the same for
  // one wei as for more.
  const missing = operation.paymaster ? 0n : 1n
  const { account, paymaster } = getValidationCalls({ operation, hash, missing })
  const call = { from: entryPoint, to: operation.sender, data: operation.callData }
  const replies = await work.simulating(sender, () =>
    ask([
      estimate(account, work.maxGas),
      estimate(call, maxCallGas),
      ...(paymaster ? [estimate(paymaster, work.maxGas)] : []),
    ]),
  )
  const calls = [account, call, ...(paymaster ? [paymaster] : [])]
  const limits = [work.maxGas, maxCallGas, work.maxGas]
  const failed = replies.findIndex((reply) => !hexQuantity.safeParse(reply.result).success)
  const failedCall = calls[failed]
  if (failedCall) {
    const { error } = replies[failed] ?? {}
    const limit = limits[failed] ?? maxCallGas
    const isTooMuch =
      error !== undefined &&
      isSilent(error) &&
      (await work.simulating(sender, () => usesAll(ask, failedCall, { limit, overrides })))
    const known = isTooMuch ? `it needs more than ${limit.toLocaleString('en')} gas` : undefined
    throw toEstimateError(failed, error && describeRevert(error, known))
  }
  const [validation, execution, payment] = replies.map(
    (reply, index) => hexQuantity.parse(reply.result) - getIntrinsicGas(calls[index]?.data ?? '0x'),
  )
  const wide = { ...widest, signature: `0x${'ff'.repeat(size(signature))}` as const }
  const verificationGasLimit = min(atLeastZero(validation) + validationOverhead, work.maxGas)
  const paymasterPostOpGasLimit = draft.paymasterPostOpGasLimit ?? 0n
  const callGas = addGasMargin(atLeastZero(execution)) + 9_000n
  return {
    preVerificationGas: getPreVerificationGas({ ...operation, ...wide }),
    verificationGasLimit,
    // At most the maximum of an operation.
    callGasLimit: min(callGas, maxCallGas - (paymaster ? paymasterPostOpGasLimit : 0n)),
    ...(paymaster && {
      paymasterVerificationGasLimit: min(
        atLeastZero(payment) + paymasterOverhead,
        work.maxGas - verificationGasLimit,
      ),
      paymasterPostOpGasLimit,
    }),
  }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)

function toEstimateError(index: number, message = 'it reverts'): BundlerError {
  const reason = message.replace(/[^\x20-\x7e]/g, '').slice(0, 300)
  if (index === 0) return new BundlerError('entryPoint', `AA23 reverted: ${reason}`)
  if (index === 1) return new BundlerError('execution', reason)
  return new BundlerError('paymaster', `AA33 reverted: ${reason}`)
}

const atLeastZero = (gas: bigint | undefined) => (gas !== undefined && gas > 0n ? gas : 0n)

/**
 * Gas that no limit covers: the transaction, the bytes of the operation in it and the
 * authorization.
 */
export function getPreVerificationGas(operation: UserOperation): bigint {
  const { zeros, others } = countBytes(encodeBundle([operation], anyone))
  const authorization = operation.eip7702Auth ? authorizationGas : 0n
  const copied = ((zeros + others) * 2n) / 5n
  const standard = fixedGas + authorization + zeros * 4n + others * 16n + copied
  const floor = transactionGas + zeros * 10n + others * 40n - leastExecution
  return floor > standard ? floor : standard
}

/** The estimate in JSON-RPC form. */
export const formatEstimate = (estimate: GasEstimate): Record<string, string> =>
  Object.fromEntries(Object.entries(estimate).map(([key, value]) => [key, numberToHex(value)]))
