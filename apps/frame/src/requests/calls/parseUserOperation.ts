import { LatchkeyError, omitNulls } from '@latchkey/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { entryPointAddress } from '../../smartAccount.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { assertAccount, invalidParameters } from '../params.ts'
import { assertLimits, type BatchedCall } from './batchCall.ts'
import { decodeCalls } from './operation/accountCalls.ts'

const quantity = z.optional(z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)))
const bytes = z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(60_002))
const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))
/**
 * The values of `factory` in ERC-7769 for an account that delegates (EIP-7702): short, and as 20
 * bytes.
 */
const noFactory = ['0x', '0x7702', `0x7702${'0'.repeat(36)}`] as const

/**
 * A user operation of EntryPoint 0.7 and later in JSON-RPC (ERC-7769). Unknown fields are refused.
 */
const userOperation = z.strictObject({
  sender: address,
  callData: bytes,
  factory: z.optional(z.enum(noFactory)),
  factoryData: z.optional(z.literal('0x')),
  eip7702Auth: z.optional(z.unknown()),
  paymaster: z.optional(z.union([z.literal('0x'), address])),
  // These are ignored: we sign our own values.
  nonce: quantity,
  callGasLimit: quantity,
  verificationGasLimit: quantity,
  preVerificationGas: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  paymasterVerificationGasLimit: quantity,
  paymasterPostOpGasLimit: quantity,
  paymasterData: z.optional(bytes),
  signature: z.optional(bytes),
})

/**
 * Parses the parameters of eth_sendUserOperation into the calls that its bytes make the account
 * execute. The page's nonce, gas, fees and signature are ignored, the same as for a transaction.
 * Its paymaster has to be the operator's, and the operator signs again. Throws INVALID_PARAMS for
 * bytes that are not exactly calls of `execute` or `executeBatch`, UNAUTHORIZED for another sender,
 * REQUEST_NOT_ALLOWED for an authorization, CAPABILITY_UNSUPPORTED for another paymaster,
 * BATCH_TOO_LARGE.
 */
export function parseUserOperation({ params, accounts, chain }: ApprovalRequest): BatchedCall[] {
  const [given, at, ...more] = Array.isArray(params) ? (params as unknown[]) : []
  if (typeof at !== 'string' || at.toLowerCase() !== entryPointAddress || more.length > 0)
    throw invalidParameters(`the EntryPoint has to be ${entryPointAddress}`)
  const parsed = z.safeParse(userOperation, omitNulls(given))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    throw invalidParameters(String(issue?.path[0] ?? unknown ?? 'user operation').slice(0, 60))
  }
  const { sender, callData, eip7702Auth, paymaster } = parsed.data
  assertAccount(sender, accounts.eip155)
  // Only the frame creates authorizations.
  if (eip7702Auth !== undefined) throw new LatchkeyError('REQUEST_NOT_ALLOWED')
  const own = chain.smartAccounts?.sponsor?.paymaster.toLowerCase()
  if (paymaster !== undefined && paymaster !== '0x' && paymaster.toLowerCase() !== own)
    throw new LatchkeyError('CAPABILITY_UNSUPPORTED', { data: { reason: 'paymaster' } })
  const calls = readCalls(callData.toLowerCase() as Hex)
  assertLimits(calls, accounts.eip155)
  return calls
}

function readCalls(callData: Hex): BatchedCall[] {
  let calls: BatchedCall[] = []
  try {
    calls = decodeCalls(callData)
  } catch {}
  if (calls.length > 0) return calls
  throw invalidParameters('callData has to be execute or executeBatch')
}
