import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  size,
} from 'viem'
import type { z } from 'zod'
import type { AskChain, ChainReply } from '../askChain.ts'
import { BundlerError } from '../bundlerError.ts'
import { getFloorGas } from './byteGas.ts'
import { getOperationGas, getOverrides, type Simulation } from './simulate.ts'
import { createTracer, tooManySteps, traced } from './tracer.ts'
import { entryPoint, packOperation, type UserOperation } from './userOperation.ts'

const abi = parseAbi([
  'struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(Op op, bytes32 hash, uint256 missing) returns (uint256)',
  'function validatePaymasterUserOp(Op op, bytes32 hash, uint256 maxCost) returns (bytes, uint256)',
])

/** An operation, its hash, and the wei that the account has to pay to the EntryPoint. */
export type Validated = {
  readonly operation: UserOperation
  readonly hash: Hex
  readonly missing: bigint
}

/** A participant of a validation. */
export type Entity = 'account' | 'paymaster'

type Traced = Validated & {
  readonly block: Hex
  /** The sender of the bundle. */
  readonly from: Address
  readonly maxSteps: number
  readonly untrusted: readonly Entity[]
}

/** Wei that the EntryPoint holds for an operation before it runs. */
export const getPrefund = (operation: UserOperation): bigint =>
  getOperationGas(operation) * operation.maxFeePerGas

/**
 * The calls with which the EntryPoint validates an operation: of the account, and of the paymaster
 * if any.
 */
export function getValidationCalls({ operation, hash, missing }: Validated): {
  account: ValidationCall
  paymaster?: ValidationCall
} {
  const op = packOperation(operation)
  const encode = (functionName: 'validateUserOp' | 'validatePaymasterUserOp', wei: bigint) =>
    encodeFunctionData({ abi, functionName, args: [op, hash, wei] })
  const account = {
    from: entryPoint,
    to: operation.sender,
    data: encode('validateUserOp', missing),
  }
  if (!operation.paymaster) return { account }
  const data = encode('validatePaymasterUserOp', getPrefund(operation))
  return { account, paymaster: { from: entryPoint, to: operation.paymaster, data } }
}

type ValidationCall = { readonly from: Address; readonly to: Address; readonly data: Hex }

/**
 * Runs the validation of the account, and then of a paymaster with unknown code, in one call. Both
 * get exactly the EntryPoint's input. Returns their steps. Undefined if the node cannot trace.
 * Throws BundlerError if it takes too many steps, RPC_UNAVAILABLE.
 */
export async function traceValidation(
  ask: AskChain,
  validation: Traced,
): Promise<z.infer<typeof traced> | undefined> {
  const [reply] = await ask([toTrace(validation)])
  const trace = traced.safeParse(reply?.result)
  if (trace.data?.isStopped || isTooLong(reply))
    throw new BundlerError('opcode', `The validation takes more than ${validation.maxSteps} steps`)
  return trace.data
}

const isTooLong = (reply: ChainReply | undefined): boolean =>
  reply?.error !== undefined &&
  new RegExp(`${tooManySteps}|time(d )?.?out`, 'i').test(reply.error.message)

/** Gas of the call itself, of memory for its data, and what a call keeps back (1/64). */
const reserve = 500_000n

function toTrace({ from, maxSteps, block, untrusted, ...validated }: Traced): Simulation {
  const { operation } = validated
  const { account, ...others } = getValidationCalls(validated)
  const paymaster = untrusted.includes('paymaster') ? others.paymaster : undefined
  const { verificationGasLimit, paymasterVerificationGasLimit = 0n } = operation
  const data = concat([account.data, paymaster?.data ?? '0x'])
  const limits = verificationGasLimit + paymasterVerificationGasLimit
  const gas = (limits * 64n) / 63n + getFloorGas(data) + reserve
  const calls = [
    writeCall(account, { at: 0, gas: verificationGasLimit }),
    ...(paymaster
      ? [writeCall(paymaster, { at: size(account.data), gas: paymasterVerificationGasLimit })]
      : []),
  ]
  const code = concat([acceptOthers, ...calls])
  return {
    method: 'debug_traceCall',
    params: [
      { from, to: entryPoint, data, gas: numberToHex(gas) },
      block,
      {
        tracer: createTracer({ sender: operation.sender, maxSteps }),
        timeout: '2s',
        stateOverrides: { ...getOverrides([operation]), [entryPoint]: { code } },
      },
    ],
  }
}

/**
 * The EntryPoint's code while it is traced: it only makes the calls, so that no step is spent on
 * the EntryPoint itself. All other calls to it (for example `depositTo`) succeed without a result.
 * This part continues if the data begins with `validateUserOp`, otherwise stops.
 */
const acceptOthers: Hex = '0x5f3560e01c6319822f7c14600f57005b'

/** Calls `to` with its part of the data, which begins at `at`. */
const writeCall = (
  { to, data }: ValidationCall,
  { at, gas }: { readonly at: number; readonly gas: bigint },
): Hex => {
  const length = numberToHex(size(data), { size: 3 })
  const copy = concat(['0x62', length, '0x62', numberToHex(at, { size: 3 }), '0x5f37'])
  const push = concat(['0x5f5f62', length, '0x5f5f73', to, '0x67', numberToHex(gas, { size: 8 })])
  return concat([copy, push, '0xf150'])
}
