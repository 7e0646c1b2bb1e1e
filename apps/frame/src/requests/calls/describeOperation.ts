import { LatchkeyError } from '@latchkey/wire'
import { formatUnits, type Hex } from 'viem'
import { checksumAddress } from '../../checksumAddress.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { callsTexts as t } from '../../locales/calls.en.ts'
import { fill } from '../../locales/en.ts'
import { type Delegation, delegate } from '../../smartAccount.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { placeRows } from '../approvalRequest.ts'
import type { Described } from '../describeEffects.ts'
import { unique } from '../getWarnings.ts'
import { describeSimulation } from '../simulation/describeSimulation.ts'
import { type Simulation, simulate } from '../simulation/simulate.ts'
import { decodeCalls } from './accountCalls.ts'
import type { UnsignedOperation } from './buildOperation.ts'
import { describeCalls } from './describeCalls.ts'

/** What nodes expected of the calls in these bytes while their operation was built, if somebody else pays for it. */
export type EarlySimulation = { readonly callData: Hex; readonly simulation: Promise<Simulation> }

/**
 * What the user sees of an operation, from the very fields that are signed: its calls by decoding its bytes, the most that
 * its fee may be, who pays it, and the delegation that comes with it.
 */
export async function describeOperation(
  request: ApprovalRequest,
  { operation, authorize }: UnsignedOperation,
  asked?: bigint,
  early?: EarlySimulation,
): Promise<OperationReview> {
  const { accounts } = request
  const context = { ...request, account: accounts.eip155 }
  const calls = decodeCalls(operation.callData as Hex)
  const sponsor = getSponsor(request, operation)
  const [{ effects, described, groups, counterparties }, simulation] = await Promise.all([
    describeCalls(request, calls, asked),
    sponsor && early?.callData.toLowerCase() === operation.callData
      ? early.simulation
      : simulate(withDelegation(request, getNewDelegation({ operation, authorize })), {
          calls,
          ...(!sponsor && { fees: getFees(operation) }),
        }),
  ])
  const simulated = await describeSimulation(context, { effects, groups }, simulation)
  return {
    described,
    simulation,
    view: {
      ...described,
      warnings: unique([...described.warnings, ...simulated.warnings]),
      groups: [...simulated.groups, ...(authorize === undefined ? [] : [delegationGroup])],
      rows: calls.length === 1 ? [] : [{ label: t.together, value: t.allOrNothing }],
      place: [...simulated.place, getFeeRow(request, operation), ...placeRows(request)],
    },
    counterparties,
  }
}

/** What an account begins to delegate to with an operation, if it is new. */
export const getNewDelegation = ({ operation, authorize }: UnsignedOperation): NewDelegation =>
  authorize === undefined ? undefined : (operation.delegate ?? 'ours')

type NewDelegation = Exclude<Delegation, 'none'> | undefined

/** The same request, whose calls are tried out with the code that the account gets with them. No page has a say in that. */
export const withDelegation = (
  request: ApprovalRequest,
  told: NewDelegation | Promise<NewDelegation>,
): ApprovalRequest => ({
  ...request,
  fetchSimulation: async (given) => {
    const delegation = await told
    return request.fetchSimulation({ ...given, ...(delegation && { delegation }) })
  },
})

/** The most that an operation costs, or who pays for it. Throws ANSWER_INVALID for the paymaster of somebody else. */
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

/** An operation as it is shown; `described` is what its bytes say. */
export type OperationReview = Required<Pick<PreparedRequest, 'view' | 'counterparties'>> & {
  readonly described: Described
  readonly simulation: Simulation
}

const delegationGroup = {
  label: t.turnsOn,
  rows: [
    { label: t.whatChanges, text: t.explanation },
    { label: approvals.approve.contract, address: checksumAddress(delegate) },
  ],
}

const getFees = (operation: UnsignedOperation['operation']) => ({
  gas: BigInt(operation.callGasLimit) + BigInt(operation.verificationGasLimit),
  fields: {
    maxFeePerGas: BigInt(operation.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
  },
})

/** The most that the operation may cost, in the smallest unit. */
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

/** Rounded up to five digits: a limit may be shown as higher, never as lower. */
function roundUp(value: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(value).length - 5))
  return ((value + unit - 1n) / unit) * unit
}

function getSponsor(
  { chain }: ApprovalRequest,
  { paymaster }: UnsignedOperation['operation'],
): string | undefined {
  if (!paymaster) return undefined
  const sponsor = chain.smartAccounts?.sponsor
  if (sponsor?.paymaster.toLowerCase() !== paymaster.address)
    throw new LatchkeyError('ANSWER_INVALID')
  return sponsor.name
}
