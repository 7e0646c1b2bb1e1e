import { LatchkeyError } from '@latchkey/wire'
import type { Parts } from '../handlers/createHandlers.ts'
import { type CodeAsk, showCode } from './showCode.ts'

/** The six digits: from the page where the project allows that, else from the frame's own boxes. Throws REQUEST_NOT_ALLOWED. */
export function enterCode<Result>(
  { facts, stage }: Pick<Parts, 'facts' | 'stage'>,
  otp: string | undefined,
  ask: CodeAsk<Result>,
): Promise<Result> {
  if (otp === undefined) return showCode(stage, ask)
  if (facts.otpSurface !== 'host') throw new LatchkeyError('REQUEST_NOT_ALLOWED')
  return ask.check(otp)
}
