import type { FeeFields } from '@latchkey/wire'
import { callsTexts as t } from '../../locales/calls.en.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import type { Described } from '../describeEffects.ts'
import { estimateCallGas, hasCode, unknownGas } from '../evm/estimateGas.ts'
import { readFee } from '../evm/readFee.ts'
import { buildTransactionView } from '../simulation/buildTransactionView.ts'
import { describeSimulation } from '../simulation/describeSimulation.ts'
import { type EvmSimulation, simulateEvm } from '../simulation/simulate.ts'
import { caution } from '../warning.ts'
import type { BatchedCall } from './batchCall.ts'
import { describeCalls, numberLabel } from './describeCalls.ts'

/** A call with its gas limit. */
type Step = BatchedCall & { readonly gas: bigint }

/** The view of transactions that follow each other. `described`: their decoded calldata. */
export type StepsReview = Required<Pick<PreparedApproval, 'view' | 'counterparties'>> & {
  readonly steps: readonly Step[]
  readonly fields: FeeFields
  readonly described: Described
  readonly simulation: EvmSimulation
}

/**
 * Describes calls that are sent as transactions one after another. They are simulated together,
 * each on top of the calls before it: first to measure gas, then with the limits and fees that are
 * signed. `requestedAllowance`: see {@link describeCalls}.
 */
export async function describeSteps(
  request: ApprovalRequest,
  calls: readonly BatchedCall[],
  requestedAllowance?: bigint,
): Promise<StepsReview> {
  const [first] = calls as readonly [BatchedCall]
  const total = calls.length
  const [{ effects, described, groups, counterparties }, estimate, measured, codes] =
    await Promise.all([
      describeCalls(request, calls, requestedAllowance),
      estimateCallGas(request, first),
      simulateEvm(request, { calls }),
      Promise.all(calls.map((call) => hasCode(request, call))),
    ])
  const steps = calls.map((call, at) => ({
    ...call,
    gas: at === 0 ? estimate.gas : getLimit(measured.gasUsed[at]),
  }))
  const value = calls.reduce((sum, one) => sum + one.value, 0n)
  const { fields, feeWei, text, short } = await readFee(request, steps)
  const tried =
    measured.answered === 0
      ? measured
      : await simulateEvm(request, { calls: steps, fees: { gas: unknownGas, fields } })
  const simulation = nameStep({ ...tried, reason: estimate.fails ?? tried.reason ?? short }, total)
  const context = { ...request, account: request.accounts.eip155 }
  const simulated = await describeSimulation(context, { effects, groups }, simulation)
  const view = buildTransactionView(request, {
    described,
    simulated,
    fee: text,
    isFeeHigh: value > 0n && feeWei > value,
    hasContracts: codes.every(Boolean),
    warnings: total === 1 ? [] : [caution(t.oneByOne)],
  })
  return { steps, fields, described, simulation, view, counterparties }
}

/**
 * Adds half of the gas used: refunds of up to a fifth happen only at the end of a transaction, and
 * state may change until then.
 */
const getLimit = (used: bigint | undefined) => (used ? (used * 3n) / 2n : unknownGas)

/** Names the call that would fail. The effects of the calls after it are unknown. */
function nameStep(simulation: EvmSimulation, total: number): EvmSimulation {
  const { reason, ran, isComplete } = simulation
  if (reason === undefined) return simulation
  return {
    ...simulation,
    reason: numberLabel(reason, { number: ran + 1, total }),
    isComplete: isComplete && ran + 1 === total,
  }
}
