import { approvals } from '../../../locales/approvals.en.ts'
import type { ApprovalRequest, PreparedApproval } from '../../approvalRequest.ts'
import { isWorse } from '../../simulation/isWorse.ts'
import { danger } from '../../warning.ts'
import type { UnsignedOperation } from './buildOperation.ts'
import {
  describeOperation,
  type EarlySimulation,
  type OperationReview,
} from './describeOperation.ts'

/**
 * An operation to review. `requestedAllowance`: the allowance that the page requests, if the user
 * may lower it.
 */
type Reviewed = Pick<PreparedApproval, 'edit'> & {
  readonly unsigned: UnsignedOperation
  readonly builtAtMs: number
  readonly requestedAllowance?: bigint | undefined
  readonly early?: EarlySimulation
  /** Prepares the operation again, because the sponsor's signature has become too old. */
  rebuild(): Promise<PreparedApproval>
  /** Signs and sends the operation, and returns the result of the request. */
  send(): Promise<unknown>
}

/** The sponsor's signature is valid for ten minutes. */
export const freshForMs = 8 * 60_000

/** Describes an operation for review, and again after the approval. */
export const reviewOperation = async (
  request: ApprovalRequest,
  reviewed: Reviewed,
): Promise<PreparedApproval> =>
  show(request, {
    ...reviewed,
    review: await describeOperation(
      request,
      reviewed.unsigned,
      reviewed.requestedAllowance,
      reviewed.early,
    ),
  })

function show(
  request: ApprovalRequest,
  reviewed: Reviewed & { readonly review: OperationReview },
): PreparedApproval {
  const { unsigned, review, builtAtMs, requestedAllowance, rebuild, send, edit } = reviewed
  return {
    view: review.view,
    counterparties: review.counterparties,
    recheck: async () => {
      if (request.now() - builtAtMs > freshForMs) return rebuild()
      const again = await describeOperation(request, unsigned, requestedAllowance)
      if (!isWorse(review, again)) return undefined
      const warnings = [danger(approvals.warn.changed), ...again.view.warnings]
      return show(request, {
        ...reviewed,
        review: { ...again, view: { ...again.view, warnings } },
      })
    },
    approve: send,
    ...(edit && review.view.editable && { edit }),
  }
}
