import { LatchkeyError, toError } from '@latchkey/wire'
import { useState } from 'react'
import type { LoginSession } from '../auth/loginSession.ts'
import type { ScreenCallbacks, WithPicture } from '../screens/screenQueue.ts'
import { ApprovalCard } from './ApprovalCard.tsx'
import type { ApprovalView } from './approvalView.ts'

export type ApprovalProps = {
  view: ApprovalView
  /** Prepares the key worker when the user starts to approve. */
  prepare?: () => void
  /** Executes the approved request that the last view showed. */
  approve: () => Promise<unknown>
  /** Returns the view with another amount, in smallest units, if the view is `editable`. */
  edit?: (amount: string) => Promise<ApprovalView>
  /** For a popup that is cut off from this frame. */
  session: Pick<LoginSession, 'call'>
}

/** An approval inside the host page. The browser guarantees that nothing covers it. */
export function ApprovalScreen({
  view,
  prepare,
  approve,
  edit,
  picture,
  done,
  fail,
}: ApprovalProps & ScreenCallbacks<unknown> & WithPicture) {
  const [shown, setShown] = useState({ view, count: 0 })
  const failWith = (error: unknown) => fail(toError(error))
  return (
    <ApprovalCard
      // Another amount is another request: the guard, the digits and the reading start over.
      key={shown.count}
      view={{ ...shown.view, picture }}
      {...(prepare && { onPress: prepare })}
      onApprove={() => {
        approve().then(done, failWith)
      }}
      onReject={() => fail(new LatchkeyError('USER_REJECTED'))}
      onEdit={(amount) => {
        edit?.(amount).then(
          (next) => setShown(({ count }) => ({ view: next, count: count + 1 })),
          failWith,
        )
      }}
    />
  )
}
