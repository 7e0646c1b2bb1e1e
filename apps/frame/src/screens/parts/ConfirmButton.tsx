import type { ComponentProps } from 'react'
import type { ApprovalView } from '../../approval/approvalView.ts'
import { canVerifyVisibility } from '../../approval/createGate.ts'
import { describeWindow, useApprovalWindow } from '../../approval/useApprovalWindow.ts'
import type { Session } from '../../session/session.ts'
import type { WithPicture } from '../screenQueue.ts'
import { Button } from './Button.tsx'
import { GatedButton } from './GatedButton.tsx'

/** What a screen knows that its confirmation in a window needs. `origin`: of the page that holds the frame. */
export type Asker = WithPicture & { readonly session: Session; readonly origin: string }

type Props = Omit<ComponentProps<typeof GatedButton>, 'kind'> & {
  kind?: 'main' | 'danger'
  asker: Asker
  /** The same question for a window of ours, with everything that the answer depends on. */
  question: Pick<ApprovalView, 'title' | 'action' | 'groups' | 'warnings'>
}

/** A device's name, which whoever uses the device may have chosen, so that it cannot pass for another row of the question. */
export const toOneLine = (name: string): string => name.replace(/[\s\p{C}]+/gu, ' ').trim()

/**
 * A {@link GatedButton} for what a covered press would cost the wallet: where the browser cannot vouch for visibility, it only opens a window of
 * ours, which asks like an approval.
 */
export const ConfirmButton = ({ asker, question, ...button }: Props) =>
  canVerifyVisibility(window) ? (
    <GatedButton {...button} />
  ) : (
    <WindowButton {...{ asker, question, ...button }} />
  )

function WindowButton({
  asker,
  question,
  kind = 'main',
  busy = false,
  disabled = false,
  onPress,
  children,
}: Props) {
  const { session, origin, picture } = asker
  const { state, open } = useApprovalWindow({
    view: { ...question, origin, rows: [], place: [] },
    session,
    picture,
    approve: async () => undefined,
    done: onPress,
    fail: () => {},
  })
  return (
    <span className="gated">
      <Button {...{ kind, busy, disabled }} onClick={open}>
        {children}
      </Button>
      <span className="small quiet" role="status">
        {describeWindow(state)}
      </span>
    </span>
  )
}
