import { type ComponentProps, useEffect, useState } from 'react'
import type { ApprovalRow, ApprovalView } from '../../approval/approvalView.ts'
import { canVerifyVisibility } from '../../approval/createGate.ts'
import { en } from '../../locales/en.ts'
import type { Session } from '../../session/session.ts'
import type { WithPicture } from '../screenQueue.ts'
import { GatedButton } from './GatedButton.tsx'
import type { WindowButton } from './WindowButton.tsx'

/** What a screen knows that its confirmation in a window needs. `origin`: of the page that holds the frame. */
export type Asker = WithPicture & { readonly session: Session; readonly origin: string }

export type Question = Pick<ApprovalView, 'title' | 'action' | 'groups' | 'warnings'>

export type ConfirmProps = ComponentProps<typeof GatedButton> & {
  asker: Asker
  /** The same question for a window of ours, with everything that the answer depends on. Another question closes the window. */
  question: Question
  /** The user has rejected it in the window; otherwise the screen stays as it is. */
  onReject?: (() => void) | undefined
}

/**
 * A {@link GatedButton} for what a covered press would cost the user: where neither the browser can vouch for visibility nor this page is a window
 * of its own, it only opens a window of ours, which asks like an approval.
 */
export function ConfirmButton({ asker, question, onReject, ...button }: ConfirmProps) {
  const isSeen = window.top === window || canVerifyVisibility(window)
  const [Part, setPart] = useState<typeof WindowButton>()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (isSeen) return
    // Before the press: a browser opens a window in the press alone.
    import('./WindowButton.tsx').then(
      (loaded) => setPart(() => loaded.WindowButton),
      () => setLost(true),
    )
  }, [isSeen])
  if (isSeen) return <GatedButton {...button} />
  if (Part)
    return <Part key={JSON.stringify(question)} {...{ asker, question, onReject, ...button }} />
  const { kind = 'main', children } = button
  return (
    <span className="gated" data-kind={kind}>
      <button
        type="button"
        className={kind === 'link' ? 'link' : 'button'}
        data-kind={kind}
        aria-disabled
      >
        <span>{children}</span>
      </button>
      <span className="small quiet" role="status">
        {isLost && en.common.lost}
      </span>
    </span>
  )
}

/** A name that somebody else may have chosen, so that it cannot pass for another row of the question. */
export const toOneLine = (name: string): string => name.replace(/[\s\p{C}]+/gu, ' ').trim()

/** A question in one group of rows. `what`: what the answer does. */
export function buildQuestion(
  texts: { title: string; action: string; group: string; what: string },
  rows: ApprovalRow[],
): Question {
  const { title, action, group, what } = texts
  const warnings = [{ level: 'caution', text: what } as const]
  return { title, action, groups: [{ label: group, rows }], warnings }
}
