import { LatchkeyError } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import type { CodePrompt } from '../screens/CodeScreen.tsx'
import { showCode } from './showCode.ts'

/**
 * Gets the six digits: from the host page if the project allows that, otherwise from the frame's own boxes. Throws
 * REQUEST_NOT_ALLOWED.
 */
export function enterCode<Result>(
  { facts, screenQueue }: Pick<FrameContext, 'facts' | 'screenQueue'>,
  otp: string | undefined,
  ask: CodePrompt<Result>,
): Promise<Result> {
  if (otp === undefined) return showCode(screenQueue, ask)
  if (facts.otpSurface !== 'host') throw new LatchkeyError('REQUEST_NOT_ALLOWED')
  return ask.check(otp)
}
