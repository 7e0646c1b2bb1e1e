import type { FeeFields } from '@latchkey/wire'
import { size } from 'viem'
import type { ReadL1Fee } from '../../evm/l1Fee.ts'
import type { AskChain } from '../askChain.ts'
import { BundlerError } from '../bundlerError.ts'
import { estimateOperation } from '../operations/estimateOperation.ts'
import { feeQuestions, readRates } from '../operations/market.ts'
import { getOperationGas } from '../operations/simulate.ts'
import type { UserOperation } from '../operations/userOperation.ts'
import type { ValidationWork } from '../operations/validationWork.ts'

/**
 * The bounds of the operations that a sponsor pays for: the rates of its chain, and the maximum gas
 * of one operation.
 */
export type SponsorBounds = {
  readonly chainNumber: number
  readonly ask: AskChain
  readonly l1Fee: ReadL1Fee
  readonly work: ValidationWork
  readonly policy: { readonly gasPerOperation: bigint }
}

/** The rates may change between the client's read and ours, so fees may be this many times ours. */
const feeFactor = 3n
/** Bytes of a signature, which the sponsor does not sign and which may be shorter in the end. */
const maxSignature = 1_024

/**
 * Throws BundlerError for an operation that requests more gas or higher fees than it needs, because
 * the sender of the bundle gets the rest. Gas that a draft does not contain yet is not checked.
 */
export async function assertRates(
  { ask, policy, chainNumber }: SponsorBounds,
  operation: UserOperation,
): Promise<void> {
  assertMost('The gas of the whole operation', getOperationGas(operation), policy.gasPerOperation)
  if (size(operation.signature) > maxSignature)
    throw refuse(`the signature must have at most ${maxSignature} bytes`)
  const { fields } = readRates(await ask(feeQuestions), chainNumber)
  const most = getMostFees(fields)
  for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
    assertMost(name, operation[name], most[name])
}

function getMostFees(fields: FeeFields) {
  // Without a base fee, the operation pays its full price, independent of the block.
  if ('gasPrice' in fields) {
    const price = (fields.gasPrice * 3n) / 2n
    return { maxFeePerGas: price, maxPriorityFeePerGas: price }
  }
  const tip = fields.maxPriorityFeePerGas * feeFactor
  // If nodes suggest no tip, clients still add a little.
  const least = fields.maxFeePerGas / 10n
  return {
    maxFeePerGas: fields.maxFeePerGas * feeFactor,
    maxPriorityFeePerGas: tip > least ? tip : least,
  }
}

/**
 * The same as {@link assertRates}, and throws BundlerError for more gas in a field than our own
 * estimate allows. The estimate runs the operation on the node, so a failing operation is refused
 * with its reason. Throws RPC_UNAVAILABLE.
 */
export async function assertBounds(bounds: SponsorBounds, operation: UserOperation): Promise<void> {
  await assertRates(bounds, operation)
  const { chainNumber } = bounds
  const own = await estimateOperation(bounds, operation, { chainNumber, isAssumed: true })
  // Other bundlers compute it differently.
  assertMost('preVerificationGas', operation.preVerificationGas, own.preVerificationGas * 2n)
  // The client's estimate may be of another state: the first use of a storage slot costs 20,000
  // more than the next.
  for (const name of ['verificationGasLimit', 'callGasLimit'] as const)
    assertMost(name, operation[name], own[name] * 2n + 100_000n)
}

function assertMost(name: string, value: bigint, most: bigint): void {
  if (value > most) throw refuse(`${name} must be at most ${most}`)
}

const refuse = (text: string) => new BundlerError('paymaster', `Not sponsored: ${text}`)
