import { isError, LatchkeyError } from '@latchkey/wire'
import type { ApprovalProps } from '../approval/ApprovalScreen.tsx'
import type { ApprovalView } from '../approval/approvalView.ts'
import { approvals } from '../locales/approvals.en.ts'
import type { Screen, ScreenQueue } from '../screens/screenQueue.ts'
import type { PreparedApproval } from './approvalRequest.ts'
import { danger } from './warning.ts'

/** A height that fits most requests; longer requests scroll inside. */
const height = 560

/** The end of one review: the request's result, or the changed request to review instead. */
export type ReviewResult = { readonly result: unknown } | { readonly changed: PreparedApproval }

/**
 * Shows a prepared request until the user approves or rejects it, and executes the last request
 * that was shown. Throws USER_REJECTED, ABORTED and the errors of executing it.
 */
export async function reviewRequest(
  {
    screenQueue,
    session,
  }: { screenQueue: Pick<ScreenQueue, 'show'> } & Pick<ApprovalProps, 'session'>,
  {
    prepared,
    asker,
    load,
    prepare,
    confirm,
    signal,
  }: {
    prepared: PreparedApproval
    asker: Pick<ApprovalView, 'origin' | 'claimedName'>
    load: Screen<ApprovalProps, unknown>['load']
    prepare?: ApprovalProps['prepare']
    /**
     * Confirms the user's identity if the request is unlimited. If it throws, nothing is signed.
     */
    confirm: () => Promise<void>
    signal: AbortSignal
  },
): Promise<ReviewResult> {
  let shown = prepared
  let isEditing = false
  let execution: Promise<ReviewResult> | undefined
  let hasEnded = false
  const execute = async (): Promise<ReviewResult> => {
    const { recheck, approve } = shown
    // Confirming may take minutes, so the request is checked again afterwards.
    for (let isConfirmed = !isUnlimited(shown); ; isConfirmed = true) {
      const changed = await recheck?.()
      // If the screen was closed in the meantime, nothing has been signed yet.
      if (hasEnded) throw new LatchkeyError('USER_REJECTED')
      if (changed) return { changed }
      if (isConfirmed) return { result: await approve() }
      await confirm()
    }
  }
  const screen: Screen<ApprovalProps, unknown> = {
    view: 'approve',
    title: approvals.approve.title,
    load,
    props: {
      session,
      view: { ...shown.view, ...asker },
      ...(prepare && { prepare }),
      // The request may outlive its screen, because it may be in a popup.
      async approve() {
        if (hasEnded || isEditing) throw new LatchkeyError('USER_REJECTED')
        execution ??= execute()
        // Confirming opens another screen, and this screen ends before that.
        return isUnlimited(shown) ? undefined : execution
      },
      async edit(amount) {
        if (hasEnded || isEditing || execution || !shown.edit)
          throw new LatchkeyError('USER_REJECTED')
        isEditing = true
        try {
          shown = await shown.edit(BigInt(amount))
          return { ...shown.view, ...asker }
        } catch {
          const warnings = [danger(approvals.warn.unchanged), ...shown.view.warnings]
          return { ...shown.view, ...asker, warnings }
        } finally {
          isEditing = false
        }
      },
    },
    height,
  }
  const getExecution = (reason: unknown) => {
    if (!execution) throw reason
    return execution
  }
  return screenQueue.show(screen, signal).then(getExecution, (error: unknown) => {
    hasEnded = true
    // Closed after the approval: the request is being executed, and its result is returned.
    if (isError(error, 'USER_REJECTED')) return getExecution(error)
    throw error
  })
}

const isUnlimited = ({ view }: PreparedApproval) => view.warnings.some((one) => one.isUnlimited)
