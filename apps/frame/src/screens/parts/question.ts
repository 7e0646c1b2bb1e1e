import type { ApprovalRow, ApprovalView, Warning } from '../../approval/approvalView.ts'
import type { Session } from '../../session/session.ts'
import type { WithPicture } from '../screenQueue.ts'

/**
 * What a screen knows that its confirmation in a window needs. `origin`: of the page that holds the
 * frame.
 */
export type Asker = WithPicture & { readonly session: Session; readonly origin: string }

/** What a window of ours asks, with everything that the answer depends on. */
export type Question = Pick<ApprovalView, 'title' | 'action' | 'groups' | 'warnings'>

/**
 * A name that somebody else may have chosen, so that it cannot pass for another row of the
 * question.
 */
export const toOneLine = (name: string): string => name.replace(/[\s\p{C}]+/gu, ' ').trim()

/**
 * A question in one group of rows. `what`: what the answer does. A row has a `value` where the
 * words are ours, and a `text` apart where somebody else may have chosen them.
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
