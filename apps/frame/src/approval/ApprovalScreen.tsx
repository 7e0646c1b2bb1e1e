import { LatchkeyError, toError } from '@latchkey/wire'
import type { ScreenCallbacks } from '../screens/screenQueue.ts'
import { ApprovalCard } from './ApprovalCard.tsx'
import type { ApprovalView } from './approvalView.ts'

export type ApprovalProps = {
  view: ApprovalView
  /** Does what was approved. */
  approve: () => Promise<unknown>
}

/** An approval inside the page around: the browser vouches that nothing covers it. */
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
