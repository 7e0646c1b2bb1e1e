import { isError, type StepUpAction, startLogin, verifyLogin } from '@latchkey/wire'
import type { Parts } from '../handlers/createHandlers.ts'
import { codes } from '../locales/codes.en.ts'
import { resend } from '../session/login.ts'
import { type About, showCode } from './showCode.ts'

const t = codes.stepUp

type Needed = Pick<Parts, 'session' | 'stage'> & { readonly facts: { readonly projectId: string } }
/** What a code is for; its mail says the same. */
export type StepUp = { readonly action: StepUpAction | 'recovery'; readonly about: About }
type Asked = StepUp & { readonly origin: string; readonly signal?: AbortSignal }

/** Runs `work`; where the server wants a code for it first, asks for one and runs it again. */
export async function withStepUp<Result>(
  parts: Needed,
  asked: Asked,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isError(error, 'STEP_UP_NEEDED')) throw error
  }
  await stepUp(parts, asked)
  return work()
}

/** A code for one action of the session. */
export async function stepUp(
  { session, stage, facts }: Needed,
  { origin, action, about, signal }: Asked,
): Promise<void> {
  const { projectId } = facts
  const isRecovery = action === 'recovery'
  const meant = isRecovery
    ? { purpose: 'recovery' as const }
    : { purpose: 'step-up' as const, action }
  const begun = await session.call(startLogin, { projectId, origin, ...meant })
  const email = (await session.read())?.email ?? ''
  const resendAtMs = Date.now() + begun.resendSeconds * 1_000
  const { tx, matchCode } = begun
  const login = { tx, matchCode, resendAtMs, email, action: 'VERIFY_OTP' } as const
  await showCode(stage, {
    title: isRecovery ? t.titleRecovery : t.title,
    about,
    email,
    matchCode,
    resendAtMs,
    resend: () => resend(session, login),
    check: async (code) => session.adopt(await session.call(verifyLogin, { tx, code })),
    ...(signal && { signal }),
  })
}
