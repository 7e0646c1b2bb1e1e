import { type ComponentProps, useEffect, useRef } from 'react'
import { describeWindow, useApprovalWindow } from '../../approval/useApprovalWindow.ts'
import type { GatedButton } from './GatedButton.tsx'
import { PlainButton } from './PlainButton.tsx'
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
  onPress,
  onReject = () => {},
  ...button
}: ConfirmProps) {
  const { session, origin, picture } = asker
  // The question stays the same while its window is open; what the screen would do with the answer
  // may not.
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
  return <PlainButton {...button} note={describeWindow(state)} onPress={() => void open()} />
}
