import { approvals } from '../../locales/approvals.en.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { sendTransaction } from '../evm/sendTransaction.ts'
import { withVerifiedChain } from '../evm/withVerifiedChain.ts'
import { isWorse } from '../simulation/isWorse.ts'
import { danger } from '../warning.ts'
import { type BatchAllowance, lowerBatchAllowance } from './batchAllowance.ts'
import type { CallsAccess } from './callsAccess.ts'
import { describeSteps, type StepsReview } from './describeSteps.ts'
import type { CallsBatch } from './parseCalls.ts'
import { readStep } from './readStep.ts'

export type OneByOneParameters = {
  readonly access: CallsAccess
  readonly batch: CallsBatch
  readonly id: string
  /** The allowance that the user may lower. */
  readonly allowance: BatchAllowance | undefined
}

/** Prepares a batch as transactions one after another. A failed transaction ends the batch. */
export async function prepareOneByOne(
  request: ApprovalRequest,
  work: OneByOneParameters,
): Promise<PreparedApproval> {
  return withVerifiedChain(request, async () =>
    reviewSteps(request, {
      ...work,
      review: await describeSteps(request, work.batch.calls, work.allowance?.requestedAllowance),
    }),
  )
}

function reviewSteps(request: ApprovalRequest, work: Sending): PreparedApproval {
  const { batch, review, allowance } = work
  return {
    view: review.view,
    counterparties: review.counterparties,
    recheck: async () => {
      const again = await describeSteps(request, batch.calls, allowance?.requestedAllowance)
      if (!isWorse(review, again)) return undefined
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

/**
 * Sends the first transaction and returns the batch's id. The others follow in the background,
 * each after the previous transaction has succeeded. Meanwhile the page can make other requests,
 * for example to speed up the pending transaction.
 */
async function sendSteps(request: ApprovalRequest, work: Sending): Promise<object> {
  const { id } = work
  const first = await sendStep(request, work, [])
  // If storing the end fails, `moreUntilMs` ends the batch.
  const rest = sendRest(request, work, first).catch(() => {})
  if (work.review.steps.length === 1) await rest
  return { id }
}

type Sending = OneByOneParameters & { readonly review: StepsReview }
type SentSteps = readonly { readonly hash: string; readonly nonce: bigint }[]

async function sendRest(request: ApprovalRequest, work: Sending, first: SentSteps): Promise<void> {
  let sent = first
  try {
    while (sent.length < work.review.steps.length && (await hasSucceeded(request, work, sent)))
      sent = await sendStep(request, work, sent)
  } finally {
    await save(request, work, { sent, moreUntilMs: 0 })
  }
}

/** Sends the next transaction, and returns all that were sent. */
async function sendStep(
  request: ApprovalRequest,
  work: Sending,
  sent: SentSteps,
): Promise<SentSteps> {
  const { access, id, review } = work
  const { gas, ...call } = review.steps[sent.length] as StepsReview['steps'][number]
  const { fields } = review
  const { hash, nonce } = await sendTransaction(request, { call, gas, fields })
  // If this fails, the transaction is sent but cannot be replaced.
  await access
    .addSent(request.chain.id, { hash, nonce, call, gas, fields, batchId: id }, undefined)
    .catch(() => {})
  const all = [...sent, { hash, nonce }]
  await save(request, work, { sent: all, moreUntilMs: request.now() + maxPauseMs })
  return all
}

const save = (
  { chain }: ApprovalRequest,
  { access, id, review }: Sending,
  { sent, moreUntilMs }: { readonly sent: SentSteps; readonly moreUntilMs: number },
) =>
  access.save(id, {
    chainId: chain.id,
    kind: 'transactions',
    hashes: sent.map(({ hash }) => hash),
    nonces: sent.map(({ nonce }) => nonce),
    total: review.steps.length,
    moreUntilMs,
  })

/** How long the next transaction may take after the last update: the frame may have been closed. */
const maxPauseMs = 2 * 60_000
const signOfLifeMs = 30_000
/** A transaction that waits longer than this ends its batch. */
const maxWaitMs = 30 * 60_000
const shortestPauseMs = 500
const longestPauseMs = 5_000

/** Waits for the last transaction or its replacement. Returns whether the call was executed. */
async function hasSucceeded(
  request: ApprovalRequest,
  work: Sending,
  sent: SentSteps,
): Promise<boolean> {
  const { read, chain, accounts, now } = request
  const place = { read, chain, account: accounts.eip155, access: work.access }
  const last = sent.at(-1) as SentSteps[number]
  const startMs = now()
  for (let savedMs = startMs; now() - startMs < maxWaitMs; ) {
    const step = await readStep(place, last).catch(() => undefined)
    if (step && step.kind !== 'pending')
      return step.kind === 'included' && BigInt(step.receipt.status) === 1n
    if (now() - savedMs >= signOfLifeMs) {
      savedMs = now()
      await save(request, work, { sent, moreUntilMs: savedMs + maxPauseMs })
    }
    const pauseMs = Math.max(shortestPauseMs, (now() - startMs) / 20)
    await new Promise((resolve) => setTimeout(resolve, Math.min(longestPauseMs, pauseMs)))
  }
  return false
}
