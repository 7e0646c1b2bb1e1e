import { LatchkeyError, type PassingPage } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import type { CodePrompt } from '../screens/CodeScreen.tsx'
import { showCode } from './showCode.ts'

/**
 * The source of the six digits and their check. `page` is set if a page has passed the digits on.
 */
type CodeEntry<Result> = Omit<CodePrompt<Result>, 'check'> & {
  readonly otp: string | undefined
  /** The page that asks. */
  readonly origin: string
  readonly check: (code: string, page?: PassingPage) => Promise<Result>
}

/**
 * Gets the six digits: from the host page if the project allows that, otherwise from the frame's
 * own boxes. The server decides whether it takes them from this page. Throws CODE_NOT_TAKEN.
 */
export function enterCode<Result>(
  { facts, screenQueue }: Pick<FrameContext, 'facts' | 'screenQueue'>,
  { otp, origin, check, ...prompt }: CodeEntry<Result>,
): Promise<Result> {
  if (otp === undefined)
    return showCode<Result>(screenQueue, { ...prompt, check: (code) => check(code) })
  if (facts.otpSurface !== 'host') throw new LatchkeyError('CODE_NOT_TAKEN')
  return check(otp, { projectId: facts.projectId, origin })
}
