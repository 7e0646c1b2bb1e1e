import { approvals } from '../locales/approvals.en.ts'
import { approvalWindow } from '../locales/approvalWindow.en.ts'
import { Button } from '../screens/parts/Button.tsx'
import type { ScreenCallbacks, WithPicture } from '../screens/screenQueue.ts'
import type { ApprovalProps } from './ApprovalScreen.tsx'
import type { ApprovalView } from './approvalView.ts'
import {
  describeWindow,
  rejected,
  useApprovalWindow,
  type WindowState,
} from './useApprovalWindow.ts'

const t = approvals.approve

/**
 * An approval in a browser that cannot guarantee visibility. A popup of the frame's origin
 * (`pages/approve`) shows the same card, and the user decides there. The frame sends the card to
 * the popup over a direct channel or, if the page cuts the popup off, end-to-end encrypted through
 * the server (`rendezvous/sealedRendezvous`).
 */
export function ApprovalWindowScreen(
  props: ApprovalProps & ScreenCallbacks<unknown> & WithPicture,
) {
  const { view, fail } = props
  const { state, open } = useApprovalWindow(props)
  return (
    <div className="stack">
      <p className="origin">{view.origin.replace(/^https:\/\//, '')}</p>
      <p className="lead">{approvalWindow.lead}</p>
      <Button busy={state === 'working'} onClick={open}>
        {state === 'working' ? t.working : approvalWindow.open}
      </Button>
      <p className="line" role="status">
        {describe(state, view)}
      </p>
      <Button kind="quiet" disabled={state === 'working'} onClick={() => fail(rejected())}>
        {t.reject}
      </Button>
    </div>
  )
}

/**
 * The status of the popup. If an approved request is shown again, explains why before its popup
 * opens.
 */
function describe(state: WindowState, { warnings }: ApprovalView): string {
  const { changed } = approvals.warn
  const isAgain = state === 'closed' && warnings.some(({ text }) => text === changed)
  return isAgain ? changed : describeWindow(state)
}
