import type { FeeFields } from '@latchkey/wire'
import { approvals } from '../../locales/approvals.en.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { getCounterparties } from '../counterparties.ts'
import { type Described, describeEffects } from '../describeEffects.ts'
import type { Effect } from '../effect.ts'
import { buildTransactionView } from '../simulation/buildTransactionView.ts'
import { describeSimulation } from '../simulation/describeSimulation.ts'
import { isWorse } from '../simulation/isWorse.ts'
import { type EvmSimulation, simulateEvm } from '../simulation/simulate.ts'
import { danger } from '../warning.ts'
import { estimateCallGas, hasCode } from './estimateGas.ts'
import { lowerAllowance } from './lowerAllowance.ts'
import { type ParsedCall, parseSendTransaction } from './parseSendTransaction.ts'
import { readCall } from './readCall.ts'
import { readFee, type ToFee } from './readFee.ts'
import { sendTransaction } from './sendTransaction.ts'
import { withVerifiedChain } from './withVerifiedChain.ts'

/**
 * eth_sendTransaction: shows what leaves the wallet, the recipient, the network and the cost.
 * Everything else comes from our RPC. The transaction is simulated before it can be approved, and
 * again afterwards.
 */
export async function prepareTransaction(request: ApprovalRequest): Promise<PreparedApproval> {
  const parsed = parseSendTransaction(request)
  return withVerifiedChain(request, () => prepareCall(request, parsed))
}

/** Prepares a call as a transaction of the account, which pays the fee. */
export const prepareCall = async (
  request: ApprovalRequest,
  parsed: ParsedCall,
): Promise<PreparedApproval> => prepareReview(request, await readReview(request, parsed))

/** Everything that is known about a transaction before it is shown. */
export type Review = ParsedCall & {
  readonly effects: readonly Effect[]
  /** The decoded calldata. */
  readonly described: Described
  readonly simulation: EvmSimulation
  readonly gas: bigint
  readonly fields: FeeFields
  readonly view: PreparedApproval['view']
}

function prepareReview(request: ApprovalRequest, review: Review): PreparedApproval {
  const { call, requestedAllowance, effects, view } = review
  return {
    view,
    counterparties: getCounterparties(effects, call.to ? [call.to] : []),
    recheck: async () => {
      const now = await readReview(request, { call, requestedAllowance })
      if (!isWorse(review, now)) return undefined
      const warnings = [danger(approvals.warn.changed), ...now.view.warnings]
      return prepareReview(request, { ...now, view: { ...now.view, warnings } })
    },
    approve: () => sendReplaceable(request, review),
    // The new calldata is decoded and simulated again, as if the page had requested it.
    ...(view.editable && {
      edit: async (amount) =>
        prepareCall(request, lowerAllowance({ call, requestedAllowance }, amount)),
    }),
  }
}

/**
 * Collects the review of a call as a transaction of the account. `toFee` chooses the fee to offer.
 */
export async function readReview(
  request: ApprovalRequest,
  { call, requestedAllowance }: ParsedCall,
  toFee?: ToFee,
): Promise<Review> {
  const { value } = call
  const from = request.accounts.eip155
  const context = { ...request, account: from, requestedAllowance }
  const effects = readCall(call, from)
  const [described, estimate, isContract] = await Promise.all([
    describeEffects(context, effects, false),
    estimateCallGas(request, call),
    hasCode(request, call),
  ])
  const { gas, fails } = estimate
  const { fields, feeWei, text, short } = await readFee(request, [{ ...call, gas }], toFee)
  const tried = await simulateEvm(request, { calls: [call], fees: { gas, fields } })
  const simulation = { ...tried, reason: fails ?? short ?? tried.reason }
  const simulated = await describeSimulation(context, { effects, ...described }, simulation)
  const view = buildTransactionView(request, {
    described,
    simulated,
    fee: fails === undefined ? text : approvals.approve.feeUnknown,
    isFeeHigh: value > 0n && feeWei > value,
    hasContracts: isContract,
  })
  return { call, requestedAllowance, effects, described, simulation, gas, fields, view }
}

/**
 * Sends a call with {@link sendTransaction} and stores it, so that it can be sped up or canceled
 * while it is pending. Returns the hash.
 */
async function sendReplaceable(request: ApprovalRequest, review: Review): Promise<string> {
  const { call, gas, fields } = review
  const sent = await sendTransaction(request, review)
  // If this fails, the transaction is sent but cannot be replaced.
  await request.calls
    .addSent(request.chain.id, { ...sent, call, gas, fields }, undefined)
    .catch(() => {})
  return sent.hash
}
