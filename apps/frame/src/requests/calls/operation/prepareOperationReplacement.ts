import { formatUnits, isError } from '@latchkey/wire'
import type { Hex } from 'viem'
import { callsTexts } from '../../../locales/calls.en.ts'
import { fill } from '../../../locales/en.ts'
import { replacement as t } from '../../../locales/replacement.en.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../../approvalRequest.ts'
import {
  parseReplacement,
  type ReplacementRequest,
  refuseReplacement,
} from '../../evm/replacement/replacing.ts'
import { withVerifiedChain } from '../../evm/withVerifiedChain.ts'
import { caution } from '../../warning.ts'
import { describeCalls } from '../describeCalls.ts'
import { readDelegation } from '../readDelegation.ts'
import { decodeCalls } from './accountCalls.ts'
import { assertPayable } from './assertPayable.ts'
import { buildOperation, type UnsignedOperation } from './buildOperation.ts'
import { delegationGroup } from './describeOperation.ts'
import { getFeeRow } from './operationFee.ts'
import { findPendingOperation } from './pendingOperations.ts'
import { freshForMs, reviewOperation } from './reviewOperation.ts'
import type { SentOperation } from './sentOperations.ts'

/**
 * wallet_replaceTransaction for a user operation: sends a pending operation of this page again with
 * higher fees, or cancels it by an operation with the same nonce and no calls. The EntryPoint
 * executes only one operation of a nonce. The signed fields come from this browser's store, the
 * network and the bundler. Throws SIGNING_REFUSED if the operation is not pending,
 * INSUFFICIENT_GAS, and the errors of {@link buildOperation}.
 */
export const prepareOperationReplacement = (request: ApprovalRequest): Promise<PreparedApproval> =>
  withVerifiedChain(request, () => prepare(request, parseReplacement(request.params)))

type Replacement = {
  readonly sent: SentOperation
  readonly unsigned: UnsignedOperation
  readonly isCanceling: boolean
}

async function prepare(
  request: ApprovalRequest,
  wanted: ReplacementRequest,
): Promise<PreparedApproval> {
  const builtAtMs = request.now()
  const sent = await findPendingOperation(request, wanted.hash)
  const isCanceling = wanted.isCanceling || sent.isCancelled
  const calls = isCanceling ? [] : decodeCalls(sent.callData as Hex)
  const building = buildOperation(request, {
    calls,
    delegation: readDelegation(request, request.accounts.eip155),
    replaced: sent,
  })
  building.catch(() => {})
  const unsigned = await assertPayable(request, { calls, building })
  const now = { sent, unsigned, isCanceling }
  const rebuild = () => prepare(request, wanted)
  const send = () => sendInstead(request, wanted, now)
  if (!isCanceling)
    return nameSpeedUp(
      request,
      now,
      await reviewOperation(request, { unsigned, builtAtMs, rebuild, send }),
    )
  return {
    view: await describeCancellation(request, now),
    recheck: async () => (request.now() - builtAtMs > freshForMs ? rebuild() : undefined),
    approve: send,
  }
}

/** Signs and sends the replacement, and stores it in place of the operation. Returns the hash. */
async function sendInstead(
  request: ApprovalRequest,
  wanted: ReplacementRequest,
  { sent, unsigned, isCanceling }: Replacement,
): Promise<string> {
  const { calls, chain } = request
  const { sendOperation, signOperation, toSentFields } = await import('./sendOperation.ts')
  const operations = await calls.operations()
  // The last check before signing: the nonce must still belong to the operation that was shown.
  const last = await findPendingOperation(request, wanted.hash)
  if (last.hash !== sent.hash) throw refuseReplacement('it was replaced meanwhile')
  const signed = await signOperation(request, unsigned)
  const { hash } = signed
  // A waiting page must know the replacement before a block can include it.
  await calls.addReplacement(sent, { hash, isCancelled: isCanceling })
  await operations.add(chain.id, {
    ...sent,
    ...toSentFields(unsigned.operation),
    ...{ hash, isCancelled: isCanceling, earlier: [...sent.earlier, sent.hash] },
    sentAtMs: request.now(),
  })
  try {
    await sendOperation(request, signed)
  } catch (error) {
    // After a lost response the bundler may have it, so all versions stay known.
    if (isError(error, 'RPC_FAILED')) await operations.add(chain.id, sent)
    // If the first version was included in the meantime, that is the error to report.
    await findPendingOperation(request, wanted.hash)
    throw error
  }
  return hash
}

/** Names the view of a faster version, and shows the fee before it. */
function nameSpeedUp(
  request: ApprovalRequest,
  now: Replacement,
  prepared: PreparedApproval,
): PreparedApproval {
  const { view, recheck } = prepared
  const { editable: _, ...shown } = view
  return {
    ...prepared,
    view: {
      ...shown,
      title: fill(t.titleSpeedUp, { what: view.title }),
      action: t.actionSpeedUp,
      warnings: [...view.warnings, { level: 'note', text: t.onlyOne }],
      place: addFeeRows(request, now, view.place),
    },
    recheck: async () => {
      const again = await recheck?.()
      return again && nameSpeedUp(request, now, again)
    },
  }
}

/** Describes the canceled operation with the title of its original request. */
async function describeCancellation(
  request: ApprovalRequest,
  now: Replacement,
): Promise<PreparedApproval['view']> {
  const { sent, unsigned } = now
  const { described, groups } = await describeCalls(request, decodeCalls(sent.callData as Hex))
  const asked = { label: t.asked, value: described.title.replace(/\?$/, '') }
  const place = [getFeeRow(request, unsigned.operation), ...placeRows(request)]
  return {
    title: t.titleCancel,
    action: t.actionCancel,
    groups: [
      { label: t.cancels, rows: [asked, ...groups.flatMap(({ rows }) => rows)] },
      ...(unsigned.authorize === undefined ? [] : [delegationGroup]),
    ],
    rows: [],
    warnings: [caution(unsigned.operation.paymaster ? t.mayBeLateFree : t.mayBeLate)],
    place: addFeeRows(request, now, place),
  }
}

/** Adds the fee of the previous version above the new fee, and who pays if that has changed. */
function addFeeRows(
  request: ApprovalRequest,
  { sent, unsigned: { operation } }: Replacement,
  place: PreparedApproval['view']['place'],
): PreparedApproval['view']['place'] {
  const { chain } = request
  const fee = getFeeRow(request, operation)
  const name = chain.smartAccounts?.sponsor?.name ?? ''
  const before =
    sent.maxFeeWei === undefined
      ? { label: t.feeSoFar, value: fill(callsTexts.sponsored, { name }) }
      : {
          label: t.feeBefore,
          value: `${formatUnits(sent.maxFeeWei, chain.decimals)} ${chain.symbol}`,
        }
  const isNowPaid = sent.maxFeeWei === undefined && !operation.paymaster
  const payer = { label: callsTexts.payer, value: fill(callsTexts.notSponsored, { name }) }
  return place.flatMap((row) =>
    row.label === fee.label ? [before, row, ...(isNowPaid ? [payer] : [])] : [row],
  )
}
