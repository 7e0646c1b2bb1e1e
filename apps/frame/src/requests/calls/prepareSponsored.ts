import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import { approvals } from '../../locales/approvals.en.ts'
import { callsTexts as t } from '../../locales/calls.en.ts'
import { fill } from '../../locales/en.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { lowerAllowance } from '../evm/lowerAllowance.ts'
import { type AskedCall, onNetwork, prepareCall, readAskedCall } from '../evm/prepareTransaction.ts'
import type { Call } from '../evm/readCall.ts'
import { simulate } from '../simulation/simulate.ts'
import { encodeCalls } from './accountCalls.ts'
import { buildSponsored, type UnsignedOperation } from './buildOperation.ts'
import { type EarlySimulation, withDelegation } from './describeOperation.ts'
import { readDelegation } from './readDelegation.ts'
import { reviewOperation } from './reviewOperation.ts'
import { sendOperation, signOperation } from './sendOperation.ts'

/**
 * eth_sendTransaction of a smart account on a network whose operator pays fees: a user operation that the operator pays for,
 * and where it does not or cannot, a transaction with the account's own fee, which the card says. Throws as
 * {@link readAskedCall}.
 */
export async function prepareSponsored(request: ApprovalRequest): Promise<PreparedRequest> {
  const asked = readAskedCall(request)
  return onNetwork(request, () => prepareOne(request, asked))
}

async function prepareOne(request: ApprovalRequest, asked: AskedCall): Promise<PreparedRequest> {
  const builtAtMs = request.now()
  // Whatever keeps the operator from paying, the account still can: also a call that fails is described there.
  const built = await build(request, asked.call).catch(() => undefined)
  if (!built) return payYourself(request, await prepareCall(request, asked))
  const { unsigned, early } = built
  return reviewOperation(request, {
    unsigned,
    early,
    builtAtMs,
    asked: asked.asked,
    rebuild: () => prepareOne(request, asked),
    edit: async (amount) => prepareOne(request, lowerAllowance(asked, amount)),
    send: async () => {
      const signed = await signOperation(request, unsigned)
      await sendOperation(request, signed)
      return waitForTransaction(request, signed.hash)
    },
  })
}

async function build(
  request: ApprovalRequest,
  { to, value, data }: Call,
): Promise<{ unsigned: UnsignedOperation; early: EarlySimulation } | undefined> {
  if (!to) return undefined
  const calls = [{ to, value, data }]
  const delegation = readDelegation(request, request.accounts.eip155)
  const isNew = delegation.then((one) => (one === 'none' ? 'ours' : undefined))
  const simulation = simulate(withDelegation(request, isNew), { calls })
  const early = { callData: encodeCalls(calls), simulation }
  const unsigned = await buildSponsored(request, { calls, delegation })
  return unsigned && { unsigned, early }
}

/** The same with a row below its fee that says who pays it. */
function payYourself(request: ApprovalRequest, plain: PreparedRequest): PreparedRequest {
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

const receipt = z.object({
  success: z.boolean(),
  receipt: z.object({ transactionHash: z.string().check(z.regex(/^0x[0-9a-f]{64}$/i)) }),
})
/** Most blocks of a local chain come at once; those of others take seconds. */
const firstPauseMs = 50
const maxPauseMs = 500
/** After ten minutes the sponsor's signature ends, and no block can take the operation any more. */
const maxWaitMs = 11 * 60_000
/** Between two of its lists, a bundler may know an operation in neither: so many answers in a row, over so long. */
const maxMissing = { answers: 6, ms: 3_000 }

/**
 * The hash of the transaction that carries an operation, once a block has it. Throws RPC_FAILED where it failed: its
 * transaction succeeds all the same, so a page that looks there would take it for done. Throws USER_OPERATION_FAILED where no
 * block has taken it.
 */
export async function waitForTransaction(
  { read, chain, now }: ApprovalRequest,
  hash: string,
): Promise<string> {
  const endMs = now() + maxWaitMs
  let missing = { answers: 0, sinceMs: 0 }
  for (let pauseMs = firstPauseMs; now() < endMs; ) {
    const ask = (method: string) => read(chain, method, [hash]).catch(() => undefined)
    const answer = z.safeParse(receipt, await ask('eth_getUserOperationReceipt'))
    if (answer.success) {
      if (answer.data.success) return answer.data.receipt.transactionHash
      throw new LatchkeyError('RPC_FAILED', { data: { reason: t.reverted } })
    }
    if ((await ask('eth_getUserOperationByHash')) !== null) missing = { answers: 0, sinceMs: 0 }
    else {
      const sinceMs = missing.answers === 0 ? now() : missing.sinceMs
      missing = { answers: missing.answers + 1, sinceMs }
      // A page that slept has asked nothing meanwhile.
      if (missing.answers >= maxMissing.answers && now() - sinceMs >= maxMissing.ms) break
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(maxPauseMs, pauseMs * 1.5)
  }
  throw new LatchkeyError('USER_OPERATION_FAILED', { data: { status: t.notTaken } })
}
