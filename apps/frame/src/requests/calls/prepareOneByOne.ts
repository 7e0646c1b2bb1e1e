import type { Hex } from 'viem'
import { approvals } from '../../locales/approvals.en.ts'
import type { ApprovalRequest, PreparedRequest } from '../approvalRequest.ts'
import { onNetwork } from '../evm/onNetwork.ts'
import { sendTransaction } from '../evm/sendTransaction.ts'
import { hasGrown } from '../simulation/hasGrown.ts'
import { danger } from '../warning.ts'
import { type BatchAllowance, lowerBatchAllowance } from './batchAllowance.ts'
import type { CallsAccess } from './callsAccess.ts'
import { describeSteps, type StepsReview } from './describeSteps.ts'
import type { Batch } from './parseCalls.ts'

export type Work = {
  readonly access: CallsAccess
  readonly batch: Batch
  readonly id: string
  /** What the user may lower. */
  readonly allowance: BatchAllowance | undefined
}

/** A batch as transactions one after another; after one that fails, no more are sent. */
export async function prepareOneByOne(
  request: ApprovalRequest,
  work: Work,
): Promise<PreparedRequest> {
  return onNetwork(request, async () =>
    reviewSteps(request, {
      ...work,
      review: await describeSteps(request, work.batch.calls, work.allowance?.asked),
    }),
  )
}

function reviewSteps(
  request: ApprovalRequest,
  work: Work & { readonly review: StepsReview },
): PreparedRequest {
  const { batch, review, allowance } = work
  return {
    view: review.view,
    counterparties: review.counterparties,
    recheck: async () => {
      const again = await describeSteps(request, batch.calls, allowance?.asked)
      if (!hasGrown(review, again)) return undefined
      const warnings = [danger(approvals.warn.changed), ...again.view.warnings]
      return reviewSteps(request, {
        ...work,
        review: { ...again, view: { ...again.view, warnings } },
      })
    },
    approve: () => sendSteps(request, work),
    ...(allowance &&
      review.view.editable && {
        edit: async (amount) =>
          prepareOneByOne(request, {
            ...work,
            batch: lowerBatchAllowance(batch, allowance, amount),
          }),
      }),
  }
}

async function sendSteps(
  request: ApprovalRequest,
  { access, id, review: { steps, fields } }: Work & { readonly review: StepsReview },
): Promise<object> {
  const total = steps.length
  const hashes: string[] = []
  const save = (moreUntilMs: number) =>
    access.save(id, {
      chainId: request.chain.id,
      kind: 'transactions',
      hashes: [...hashes],
      total,
      moreUntilMs,
    })
  for (const { gas, ...call } of steps) {
    try {
      const sent = await sendTransaction(request, { call, gas, fields })
      hashes.push(sent.hash)
      // An earlier transaction with this nonce can no longer be replaced. If the removal fails, the check on the network still refuses it.
      await access.dropSent(request.chain.id, (nonce) => nonce === sent.nonce).catch(() => {})
    } catch (error) {
      if (hashes.length === 0) throw error
      break
    }
    await save(request.now() + maxPauseMs)
    if (hashes.length < total && !(await hasSucceeded(request, hashes.at(-1) as Hex))) break
  }
  await save(0)
  return { id }
}

const receiptLooks = 120
const receiptPauseMs = 500
/** Twice as long as a receipt is waited for: the next one has to be signed and sent as well. */
const maxPauseMs = 2 * receiptLooks * receiptPauseMs

/** Waits for a transaction of the batch before the next one is sent. */
async function hasSucceeded({ read, chain }: ApprovalRequest, hash: Hex): Promise<boolean> {
  for (let look = 0; look < receiptLooks; look++) {
    const receipt = await read(chain, 'eth_getTransactionReceipt', [hash]).catch(() => null)
    if (receipt !== null) return (receipt as { status?: unknown }).status === '0x1'
    await new Promise((resolve) => setTimeout(resolve, receiptPauseMs))
  }
  return false
}
