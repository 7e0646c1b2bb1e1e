import { formatUnits } from '@latchkey/wire'
import type { ApprovalRow } from '../../../approval/approvalView.ts'
import { approvals } from '../../../locales/approvals.en.ts'
import { fill } from '../../../locales/en.ts'
import { replacement as t } from '../../../locales/replacement.en.ts'
import type { ApprovalRequest, PreparedApproval } from '../../approvalRequest.ts'
import type { SentTransaction } from '../../calls/callsAccess.ts'
import { describeEffects } from '../../describeEffects.ts'
import { isWorse } from '../../simulation/isWorse.ts'
import { caution, danger } from '../../warning.ts'
import { type Review, readReview } from '../prepareTransaction.ts'
import { type EvmCall, readCall } from '../readCall.ts'
import { sendTransaction } from '../sendTransaction.ts'
import { withVerifiedChain } from '../withVerifiedChain.ts'
import { getMaxWei, raiseReplacementFee } from './raiseFee.ts'
import { parseReplacement, type ReplacementRequest, refuseReplacement } from './replacing.ts'
import { findPending, findReplaceable } from './sentTransactions.ts'

/**
 * wallet_replaceTransaction: sends a pending transaction of this page again with a higher fee, or
 * cancels it. The signed fields come from this browser's store and from the network: the page names
 * only the hash and the action. Throws SIGNING_REFUSED if this page has no pending transaction with
 * the hash or the network no longer has it, and INSUFFICIENT_GAS.
 */
export async function prepareReplacement(request: ApprovalRequest): Promise<PreparedApproval> {
  const wanted = parseReplacement(request.params)
  return withVerifiedChain(request, async () => toPrepared(request, await review(request, wanted)))
}

type Replacement = Review & { readonly wanted: ReplacementRequest; readonly sent: SentTransaction }

function toPrepared(request: ApprovalRequest, now: Replacement): PreparedApproval {
  const { sent, view, wanted } = now
  return {
    view,
    recheck: async () => {
      const again = await review(request, wanted)
      // For example in another tab.
      const isAnotherTransaction = again.sent.hash !== sent.hash
      if (!isAnotherTransaction && !isWorse(now, again)) return undefined
      const warnings = [danger(approvals.warn.changed), ...again.view.warnings]
      return toPrepared(request, { ...again, view: { ...again.view, warnings } })
    },
    approve: async () => {
      // The last check before signing: the nonce must still belong to the transaction that was
      // shown.
      const last = await findReplaceable(toPlace(request), wanted.hash)
      if (last.hash !== sent.hash) throw refuseReplacement('it was replaced meanwhile')
      try {
        return await sendInstead(request, now)
      } catch (error) {
        // If it was included in the meantime, that is the error to report.
        await findPending(toPlace(request), wanted.hash)
        throw error
      }
    },
  }
}

/** Sends the replacement and stores it in place of the transaction. Returns the hash. */
async function sendInstead(
  request: ApprovalRequest,
  { call, gas, fields, sent }: Replacement,
): Promise<string> {
  const { calls, chain } = request
  const next = await sendTransaction(request, {
    ...{ call, gas, fields, nonce: sent.nonce },
    // A waiting batch must know the replacement before a block can include it.
    onSigned: (hash) => calls.addReplacement(sent, { hash, isCancelled: call !== sent.call }),
  })
  // If this fails, the replacement is sent but cannot be replaced again.
  await calls.addSent(chain.id, { ...next, call, gas, fields }, sent).catch(() => {})
  return next.hash
}

const toPlace = (request: ApprovalRequest) => ({ ...request, account: request.accounts.eip155 })

async function review(request: ApprovalRequest, wanted: ReplacementRequest): Promise<Replacement> {
  const { accounts, chain } = request
  const sent = await findReplaceable(toPlace(request), wanted.hash)
  // A canceled call is never sent again: only the fee of its cancellation can go up.
  const isCanceling = wanted.isCanceling || sent.isCancelled
  const nothing: EvmCall = { to: accounts.eip155, value: 0n, data: '0x' }
  const call = isCanceling ? nothing : sent.call
  let isEnough = false
  let otherWei = 0n
  const found = await readReview(request, { call, requestedAllowance: undefined }, (given) => {
    isEnough = getMaxWei(sent.fields) >= given.rates.maxWei
    const fee = raiseReplacementFee({ before: sent.fields, symbol: chain.symbol, ...given })
    // The data fee does not change, because the call does not.
    otherWei = fee.maxFeeWei - given.gas * getMaxWei(fee.fields)
    return fee
  })
  const { editable: _, ...shown } = found.view
  const view = {
    ...shown,
    ...(isCanceling
      ? await describeCancelled(request, sent)
      : { title: fill(t.titleSpeedUp, { what: shown.title }), action: t.actionSpeedUp }),
    place: addFeeBefore(request, { sent, otherWei, place: shown.place }),
    warnings: [
      ...shown.warnings,
      ...(isCanceling ? [caution(t.mayBeLate)] : [{ level: 'note' as const, text: t.onlyOne }]),
      ...(isCanceling && sent.batchId !== undefined ? [caution(t.endsBatch)] : []),
      ...(isEnough ? [caution(t.feeEnough)] : []),
    ],
  }
  return { ...found, view, wanted, sent }
}

/** Describes the canceled transaction with the title of its original request. */
async function describeCancelled(request: ApprovalRequest, { call }: SentTransaction) {
  const account = request.accounts.eip155
  const context = { ...request, account }
  const { title, groups } = await describeEffects(context, readCall(call, account), false)
  const rows = [{ label: t.asked, value: title.replace(/\?$/, '') }]
  return {
    title: t.titleCancel,
    action: t.actionCancel,
    groups: [{ label: t.cancels, rows: [...rows, ...groups.flatMap((one) => one.rows)] }],
  }
}

/** Adds a row with the previous maximum fee above the new one. */
function addFeeBefore(
  { chain }: ApprovalRequest,
  { sent, otherWei, place }: { sent: SentTransaction; otherWei: bigint; place: ApprovalRow[] },
): ApprovalRow[] {
  const beforeWei = sent.gas * getMaxWei(sent.fields) + otherWei
  const value = `${formatUnits(beforeWei, chain.decimals)} ${chain.symbol}`
  return place.flatMap((row) =>
    row.label === approvals.approve.fee ? [{ label: t.feeBefore, value }, row] : [row],
  )
}
