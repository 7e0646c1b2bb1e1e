import { type ComponentProps, useEffect, useRef } from 'react'
import { describeWindow, useApprovalWindow } from '../../approval/useApprovalWindow.ts'
import type { GatedButton } from './GatedButton.tsx'
import type { Asker, Question } from './question.ts'

export type ConfirmProps = ComponentProps<typeof GatedButton> & {
  asker: Asker
  /** The same question for a window of ours. Another question closes the window. */
  question: Question
  /** The user has rejected it in the window; otherwise the screen stays as it is. */
  onReject?: (() => void) | undefined
}

/** Opens a window of ours in the press; `onPress` is called when the user has approved there. */
export function WindowButton({
  asker,
  question,
  kind = 'main',
  busy = false,
  disabled = false,
  onPress,
  onReject = () => {},
  children,
}: ConfirmProps) {
  const { session, origin, picture } = asker
  // The question stays the same while its window is open; what the screen would do with the answer may not.
  const latest = useRef(onPress)
  useEffect(() => {
    latest.current = onPress
  })
  const { state, open } = useApprovalWindow({
    view: { ...question, origin, rows: [], place: [] },
    session,
    picture,
    approve: async () => undefined,
    done: () => latest.current(),
    fail: onReject,
  })
  const isOff = busy || disabled
  return (
    <span className="gated" data-kind={kind}>
      <button
        type="button"
        className={kind === 'link' ? 'link' : 'button'}
        data-kind={kind}
        data-level={kind === 'link' ? 'danger' : undefined}
        aria-busy={busy}
        aria-disabled={isOff}
        onClick={() => {
          if (!isOff) void open()
        }}
      >
        <span>{children}</span>
      </button>
      <span className="small quiet" role="status">
        {describeWindow(state)}
      </span>
    </span>
  )
}
