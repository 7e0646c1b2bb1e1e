import { checksumAddress } from '@latchkey/wire'
import type { Hex } from 'viem'
import { approvals } from '../../../locales/approvals.en.ts'
import { callsTexts as t } from '../../../locales/calls.en.ts'
import { delegateAddress } from '../../../smartAccount.ts'
import type { ApprovalRequest, PreparedApproval } from '../../approvalRequest.ts'
import { placeRows } from '../../approvalRequest.ts'
import type { Described } from '../../describeEffects.ts'
import { describeSimulation } from '../../simulation/describeSimulation.ts'
import { type EvmSimulation, simulateEvm } from '../../simulation/simulate.ts'
import { unique } from '../../warning.ts'
import { describeCalls } from '../describeCalls.ts'
import { decodeCalls } from './accountCalls.ts'
import type { UnsignedOperation } from './buildOperation.ts'
import { getNewDelegation, withDelegation } from './newDelegation.ts'
import { getFeeRow, getSponsor } from './operationFee.ts'

/**
 * The simulation of the calls in `callData`, which ran while the operation was built. Only used if
 * a sponsor pays for the operation.
 */
export type EarlySimulation = {
  readonly callData: Hex
  readonly simulation: Promise<EvmSimulation>
}

/**
 * Describes an operation from the very fields that are signed: its calls by decoding its bytes, the
 * maximum fee, who pays it, and the delegation that comes with it.
 */
export async function describeOperation(
  request: ApprovalRequest,
  { operation, authorize }: UnsignedOperation,
  requestedAllowance?: bigint,
  early?: EarlySimulation,
): Promise<OperationReview> {
  const { accounts } = request
  const context = { ...request, account: accounts.eip155 }
  const calls = decodeCalls(operation.callData as Hex)
  const sponsor = getSponsor(request, operation)
  const [{ effects, described, groups, counterparties }, simulation] = await Promise.all([
    describeCalls(request, calls, requestedAllowance),
    sponsor && early?.callData.toLowerCase() === operation.callData
      ? early.simulation
      : simulateEvm(withDelegation(request, getNewDelegation({ operation, authorize })), {
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

/** The view of an operation; `described` is its decoded calldata. */
export type OperationReview = Required<Pick<PreparedApproval, 'view' | 'counterparties'>> & {
  readonly described: Described
  readonly simulation: EvmSimulation
}

export const delegationGroup = {
  label: t.turnsOn,
  rows: [
    { label: t.whatChanges, note: t.explanation },
    { label: approvals.approve.contract, address: checksumAddress(delegateAddress) },
  ],
}

const getFees = (operation: UnsignedOperation['operation']) => ({
  gas: BigInt(operation.callGasLimit) + BigInt(operation.verificationGasLimit),
  fields: {
    maxFeePerGas: BigInt(operation.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
  },
})
