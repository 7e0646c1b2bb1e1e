import { LatchkeyError, toError } from '@latchkey/wire'
import type { ScreenCallbacks } from '../screens/screenQueue.ts'
import { ApprovalCard } from './ApprovalCard.tsx'
import type { ApprovalView } from './approvalView.ts'

export type ApprovalProps = {
  view: ApprovalView
  /** Executes the approved request. */
  approve: () => Promise<unknown>
}

/** An approval inside the host page; the browser vouches that nothing covers it. */
export const ApprovalScreen = ({
  view,
  approve,
  done,
  fail,
}: ApprovalProps & ScreenCallbacks<unknown>) => (
  <ApprovalCard
    view={view}
    onApprove={() => {
      approve().then(done, (error: unknown) => fail(toError(error)))
    }}
    onReject={() => fail(new LatchkeyError('USER_REJECTED'))}
  />
)
