import { isError, LatchkeyError, readFeeRates } from '@latchkey/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import {
  type AccountDelegation,
  delegateAddress,
  entryPointAddress,
  permissionDelegate,
} from '../../../smartAccount.ts'
import type { SignableOperation } from '../../../wallet/sign/operationSchema.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import type { BatchedCall } from '../batchCall.ts'
import { encodeCalls } from './accountCalls.ts'
import type { SentOperation } from './sentOperations.ts'

/**
 * An operation before its signature. `authorize`: the account's nonce, if the account has yet to
 * delegate.
 */
export type UnsignedOperation = {
  readonly operation: SignableOperation
  readonly authorize: Hex | undefined
}

const quantity = z.string().check(z.regex(/^0x[0-9a-f]{1,32}$/))
const gasAnswer = z.object({
  callGasLimit: quantity,
  verificationGasLimit: quantity,
  preVerificationGas: quantity,
})
const sponsorAnswer = z.object({
  paymaster: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  paymasterData: z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(10_000)),
  paymasterVerificationGasLimit: quantity,
  paymasterPostOpGasLimit: quantity,
})
// Placeholders with as many bytes as a real signature and a real authorization.
const stub: Hex = `0xfffffffffffffffffffffffffffffff000000000000000000000000000000000${'7a'.padEnd(64, 'a')}1c`
const stubAuthorization = {
  r: `0x${'f'.repeat(31)}${'0'.repeat(33)}`,
  s: `0x7${'a'.repeat(63)}`,
  yParity: '0x1',
}

type Draft = Record<string, unknown>

/**
 * `delegation`: the account's current delegation. With `mayPermit`, the account will delegate to
 * the contract that executes for permissions.
 */
type OperationParameters = {
  readonly calls: readonly BatchedCall[]
  readonly delegation: AccountDelegation | Promise<AccountDelegation>
  readonly mayPermit?: boolean
  /** The pending operation that this one replaces: both fees have to be higher. */
  readonly replaced?: Pick<SentOperation, 'nonce' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>
}

/**
 * Turns calls into a user operation: gas from the bundler, fees from the chain, and the operator's
 * paymaster if it sponsors the operation. Throws RPC_FAILED with the reason if the calls would
 * fail.
 */
export async function buildOperation(
  request: ApprovalRequest,
  given: OperationParameters,
): Promise<UnsignedOperation> {
  const { draft, authorize } = await createDraft(request, given)
  const full = (await sponsor(request, draft)) ?? { ...draft, ...(await estimate(request, draft)) }
  return { operation: toOperation(full, Number(request.chain.reference)), authorize }
}

/** Builds the same operation if the operator sponsors it; otherwise returns undefined. */
export async function buildSponsored(
  request: ApprovalRequest,
  given: OperationParameters,
): Promise<UnsignedOperation | undefined> {
  const { draft, authorize } = await createDraft(request, given)
  const full = await sponsor(request, draft)
  return full && { operation: toOperation(full, Number(request.chain.reference)), authorize }
}

async function createDraft(
  request: ApprovalRequest,
  { calls, delegation: told, mayPermit, replaced }: OperationParameters,
) {
  const { read, chain, accounts, signal } = request
  const sender = accounts.eip155
  const [delegation, rates, nonce] = await Promise.all([
    told,
    readFeeRates((method, params) => read(chain, method, params, signal), chain.reference),
    read(chain, 'eth_getTransactionCount', [sender, 'latest'], signal).then(toQuantity),
  ])
  const isDelegated = delegation === 'permissions' || (delegation === 'ours' && !mayPermit)
  const permits = mayPermit === true || delegation === 'permissions'
  const authorize = isDelegated ? undefined : nonce
  const fees =
    'gasPrice' in rates.fields
      ? { maxFeePerGas: rates.fields.gasPrice, maxPriorityFeePerGas: rates.fields.gasPrice }
      : rates.fields
  const draft: Draft = {
    sender,
    // A random nonce key, so that operations do not wait for each other.
    nonce: replaced?.nonce ?? formatQuantity(randomKey() << 64n),
    // Makes the delegate part of what is signed.
    factory: '0x7702',
    factoryData: '0x',
    callData: encodeCalls(calls),
    maxFeePerGas: outbid(replaced?.maxFeePerGas, fees.maxFeePerGas),
    maxPriorityFeePerGas: outbid(replaced?.maxPriorityFeePerGas, fees.maxPriorityFeePerGas),
    signature: stub,
    ...(permits && { delegate: 'permissions' }),
    ...(authorize !== undefined && {
      eip7702Auth: {
        address: permits ? permissionDelegate : delegateAddress,
        chainId: formatQuantity(Number(chain.reference)),
        nonce: authorize,
        ...stubAuthorization,
      },
    }),
  }
  return { draft, authorize }
}

/**
 * Returns the draft with gas and the paymaster's signature, or undefined if the operator does not
 * sponsor it.
 */
async function sponsor(request: ApprovalRequest, draft: Draft): Promise<Draft | undefined> {
  const { read, chain, signal } = request
  const paymaster = chain.smartAccounts?.sponsor?.paymaster.toLowerCase()
  if (paymaster === undefined) return undefined
  const ask = async (method: string, operation: Draft) => {
    const asked = [operation, entryPointAddress, formatQuantity(Number(chain.reference))]
    const fields = z.safeParse(sponsorAnswer, await read(chain, method, asked, signal))
    if (!fields.success || fields.data.paymaster.toLowerCase() !== paymaster)
      throw new LatchkeyError('ANSWER_INVALID')
    return fields.data
  }
  try {
    const stubbed = { ...draft, ...(await ask('pm_getPaymasterStubData', draft)) }
    const full = { ...stubbed, ...(await estimate(request, stubbed)) }
    return { ...full, ...(await ask('pm_getPaymasterData', full)) }
  } catch (error) {
    if (isError(error, 'RPC_FAILED') && /^Not sponsored/.test(error.message)) return undefined
    throw error
  }
}

async function estimate({ read, chain, signal }: ApprovalRequest, draft: Draft) {
  const answer = await read(
    chain,
    'eth_estimateUserOperationGas',
    [draft, entryPointAddress],
    signal,
  )
  const gas = z.safeParse(gasAnswer, answer)
  if (!gas.success) throw new LatchkeyError('ANSWER_INVALID')
  return gas.data
}

const formatQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`

/** The current fee, but at least 15 percent more than the fee before: bundlers refuse less. */
function outbid(before = 0n, now: bigint): Hex {
  const least = (before * 115n + 99n) / 100n
  return formatQuantity(least > now ? least : now)
}

/** 128 random bits, so that the key is unused. */
const randomKey = () =>
  crypto.getRandomValues(new Uint8Array(16)).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

function toQuantity(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(value))
    throw new LatchkeyError('ANSWER_INVALID')
  return value as Hex
}

function toOperation(full: Draft, chainId: number): SignableOperation {
  const field = (name: string) => String(full[name]).toLowerCase()
  return {
    chainId,
    ...(full.delegate === 'permissions' && { delegate: 'permissions' as const }),
    sender: field('sender'),
    nonce: field('nonce'),
    callData: field('callData'),
    callGasLimit: field('callGasLimit'),
    verificationGasLimit: field('verificationGasLimit'),
    preVerificationGas: field('preVerificationGas'),
    maxFeePerGas: field('maxFeePerGas'),
    maxPriorityFeePerGas: field('maxPriorityFeePerGas'),
    ...(full.paymaster !== undefined && {
      paymaster: {
        address: field('paymaster'),
        verificationGasLimit: field('paymasterVerificationGasLimit'),
        postOpGasLimit: field('paymasterPostOpGasLimit'),
        data: field('paymasterData'),
      },
    }),
  }
}
