import type { ApprovalRow, ApprovalView, Warning } from '../../approval/approvalView.ts'
import type { Session } from '../../session/session.ts'
import type { WithPicture } from '../screenQueue.ts'

/**
 * The data that a screen passes to its confirmation in a popup. `origin`: the page that embeds the
 * frame.
 */
export type Asker = WithPicture & { readonly session: Session; readonly origin: string }

/** A question for a popup, with everything that the answer depends on. */
export type Question = Pick<ApprovalView, 'title' | 'action' | 'groups' | 'warnings'>

/**
 * Puts a name that a third party may have chosen on one line, so that it cannot look like another
 * row of the question.
 */
export const toOneLine = (name: string): string => name.replace(/[\s\p{C}]+/gu, ' ').trim()

/**
 * Builds a question with one group of rows. `what`: the effect of the answer. A row has a `value`
 * if the words are our own, and a separate `text` if a third party may have chosen them.
 */
export function buildQuestion(
  texts: { title: string; action: string; group: string; what: string },
  rows: ApprovalRow[],
  level: Warning['level'] = 'caution',
): Question {
  const { title, action, group, what } = texts
  return {
    title,
    action,
    groups: [{ label: group, rows }],
    warnings: [{ level, text: what }],
  }
}
