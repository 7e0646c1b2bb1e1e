import { type ComponentProps, useEffect, useRef } from 'react'
import { describeWindow, useApprovalWindow } from '../../approval/useApprovalWindow.ts'
import type { GuardedButton } from './GuardedButton.tsx'
import { PlainButton } from './PlainButton.tsx'
import type { Prompt, PromptContext } from './prompt.ts'

export type ConfirmProps = ComponentProps<typeof GuardedButton> & {
  asker: PromptContext
  /** The confirmation in a popup, with the same content. Another question closes the popup. */
  question: Prompt
  /** Called if the user rejects in the popup; by default the screen stays as it is. */
  onReject?: (() => void) | undefined
}

/** Opens a popup in the press; `onPress` is called when the user has approved there. */
export function WindowButton({
  asker,
  question,
  onPress,
  onReject = () => {},
  ...button
}: ConfirmProps) {
  const { session, origin, picture } = asker
  // The question stays the same while its popup is open; the screen's handler may change.
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
