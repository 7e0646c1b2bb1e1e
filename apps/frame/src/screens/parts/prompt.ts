import type { ApprovalRow, ApprovalView, Warning } from '../../approval/approvalView.ts'
import type { LoginSession } from '../../auth/loginSession.ts'
import type { WithPicture } from '../screenQueue.ts'

/**
 * The data that a screen passes to its confirmation in a popup. `origin`: the page that embeds the
 * frame.
 */
export type PromptContext = WithPicture & {
  readonly session: LoginSession
  readonly origin: string
}

/** A question for a popup, with everything that the answer depends on. */
export type Prompt = Pick<ApprovalView, 'title' | 'action' | 'groups' | 'warnings'>

/**
 * Puts a name that a third party may have chosen on one line, so that it cannot look like another
 * row of the question.
 */
export const toOneLine = (name: string): string => name.replace(/[\s\p{C}]+/gu, ' ').trim()

/**
 * Builds a question with one group of rows. `what`: the effect of the answer. A row has a `value`
 * if the words are our own, and a separate `text` if a third party may have chosen them.
 */
export function buildPrompt(
  texts: { title: string; action: string; group: string; what: string },
  rows: ApprovalRow[],
  level: Warning['level'] = 'caution',
): Prompt {
  const { title, action, group, what } = texts
  return {
    title,
    action,
    groups: [{ label: group, rows }],
    warnings: [{ level, text: what }],
  }
}
