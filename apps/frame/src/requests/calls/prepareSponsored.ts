import { approvals } from '../../locales/approvals.en.ts'
import { callsTexts as t } from '../../locales/calls.en.ts'
import { fill } from '../../locales/en.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { lowerAllowance } from '../evm/lowerAllowance.ts'
import { type ParsedCall, parseSendTransaction } from '../evm/parseSendTransaction.ts'
import type { EvmCall } from '../evm/readCall.ts'
import { withVerifiedChain } from '../evm/withVerifiedChain.ts'
import { simulateEvm } from '../simulation/simulate.ts'
import { encodeCalls } from './operation/accountCalls.ts'
import { buildSponsored, type UnsignedOperation } from './operation/buildOperation.ts'
import type { EarlySimulation } from './operation/describeOperation.ts'
import { withDelegation } from './operation/newDelegation.ts'
import { reviewOperation } from './operation/reviewOperation.ts'
import { readDelegation } from './readDelegation.ts'

/**
 * eth_sendTransaction of a smart account on a network whose operator pays fees. Prepares a user
 * operation that the operator sponsors. If the operator does not or cannot sponsor it, prepares a
 * transaction that pays its own fee and adds a row that explains it. Throws the errors of
 * {@link parseSendTransaction}.
 */
export async function prepareSponsored(request: ApprovalRequest): Promise<PreparedApproval> {
  const parsed = parseSendTransaction(request)
  return withVerifiedChain(request, () => prepareOne(request, parsed))
}

async function prepareOne(request: ApprovalRequest, parsed: ParsedCall): Promise<PreparedApproval> {
  const builtAtMs = request.now()
  // If the operator cannot pay for any reason, the account still can. Calls that fail are also
  // described there.
  const built = await build(request, parsed.call).catch(() => undefined)
  if (!built) {
    const { prepareCall } = await import('../evm/prepareTransaction.ts')
    return payYourself(request, await prepareCall(request, parsed))
  }
  const { unsigned, early } = built
  return reviewOperation(request, {
    unsigned,
    early,
    builtAtMs,
    requestedAllowance: parsed.requestedAllowance,
    rebuild: () => prepareOne(request, parsed),
    edit: async (amount) => prepareOne(request, lowerAllowance(parsed, amount)),
    send: async () => {
      const [{ submitOperation }, { waitForOperation }] = await Promise.all([
        import('./operation/sendOperation.ts'),
        import('./operation/waitForOperation.ts'),
      ])
      const hash = await submitOperation(request, unsigned)
      // Others need not wait for the block, such as the request to speed this one up.
      return () => waitForOperation(request, hash)
    },
  })
}

async function build(
  request: ApprovalRequest,
  { to, value, data }: EvmCall,
): Promise<{ unsigned: UnsignedOperation; early: EarlySimulation } | undefined> {
  if (!to) return undefined
  const calls = [{ to, value, data }]
  const delegation = readDelegation(request, request.accounts.eip155)
  const isNew = delegation.then((one) => (one === 'none' ? 'ours' : undefined))
  const simulation = simulateEvm(withDelegation(request, isNew), { calls })
  const early = { callData: encodeCalls(calls), simulation }
  const unsigned = await buildSponsored(request, { calls, delegation })
  return unsigned && { unsigned, early }
}

/** Adds a row below the fee that explains who pays it. */
function payYourself(request: ApprovalRequest, plain: PreparedApproval): PreparedApproval {
  const { edit, recheck } = plain
  const name = request.chain.smartAccounts?.sponsor?.name ?? ''
  const payer = { label: t.payer, value: fill(t.notSponsored, { name }) }
  return {
    ...plain,
    view: {
      ...plain.view,
      place: plain.view.place.flatMap((row) =>
        row.label === approvals.approve.fee ? [row, payer] : [row],
      ),
    },
    recheck: async () => {
      const again = await recheck?.()
      return again && payYourself(request, again)
    },
    ...(edit && { edit: async (amount) => payYourself(request, await edit(amount)) }),
  }
}
