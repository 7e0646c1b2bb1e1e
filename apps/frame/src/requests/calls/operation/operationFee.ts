import { formatUnits, LatchkeyError } from '@latchkey/wire'
import { approvals } from '../../../locales/approvals.en.ts'
import { callsTexts as t } from '../../../locales/calls.en.ts'
import { fill } from '../../../locales/en.ts'
import type { ApprovalRequest } from '../../approvalRequest.ts'
import type { UnsignedOperation } from './buildOperation.ts'

/**
 * The row with the maximum fee of an operation, or with the sponsor's name. Throws ANSWER_INVALID
 * for a paymaster that is not the operator's.
 */
export function getFeeRow(request: ApprovalRequest, operation: UnsignedOperation['operation']) {
  const { chain } = request
  const sponsor = getSponsor(request, operation)
  return sponsor
    ? { label: t.fee, value: fill(t.sponsored, { name: sponsor }) }
    : {
        label: approvals.approve.fee,
        value: `${formatUnits(roundUp(getMaxFee(operation)), chain.decimals)} ${chain.symbol}`,
      }
}

/** The maximum fee of the operation, in the smallest unit. */
export function getMaxFee(operation: UnsignedOperation['operation']): bigint {
  const { paymaster } = operation
  const gas = [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    paymaster?.verificationGasLimit ?? '0x0',
    paymaster?.postOpGasLimit ?? '0x0',
  ].reduce((sum, one) => sum + BigInt(one), 0n)
  return gas * BigInt(operation.maxFeePerGas)
}

/** Rounds up to five digits: a limit may be shown as higher, never as lower. */
function roundUp(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(value).length - 5))
  return ((value + unit - 1n) / unit) * unit
}

/**
 * The operator's name, if it pays. Throws ANSWER_INVALID for a paymaster that is not the
 * operator's.
 */
export function getSponsor(
  { chain }: ApprovalRequest,
  { paymaster }: UnsignedOperation['operation'],
): string | undefined {
  if (!paymaster) return undefined
  const sponsor = chain.smartAccounts?.sponsor
  if (sponsor?.paymaster.toLowerCase() !== paymaster.address)
    throw new LatchkeyError('ANSWER_INVALID')
  return sponsor.name
}
