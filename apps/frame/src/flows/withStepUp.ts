import { isError, startLogin, verifyLogin } from '@latchkey/wire'
import type { Parts } from '../createFrame.ts'
import { resend } from '../session/login.ts'
import { showCode } from './showCode.ts'

type Needed = Pick<Parts, 'session' | 'stage'> & { readonly facts: { readonly projectId: string } }
type StepUp = {
  readonly origin: string
  readonly purpose: 'step-up' | 'recovery'
  readonly signal?: AbortSignal
}

/** Runs `work`; where the server wants a fresh code first, asks for it and runs it again. */
export async function withStepUp<Result>(
  parts: Needed,
  ask: StepUp,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isError(error, 'STEP_UP_NEEDED')) throw error
  }
  await stepUp(parts, ask)
  return work()
}

/** A fresh code for a purpose of the session. */
export async function stepUp(
  { session, stage, facts }: Needed,
  { origin, purpose, signal }: StepUp,
): Promise<void> {
  const { projectId } = facts
  const begun = await session.call(startLogin, { projectId, origin, purpose })
  const email = (await session.read())?.email ?? ''
  const resendAtMs = Date.now() + begun.resendSeconds * 1_000
  const { tx, matchCode } = begun
  const login = { tx, matchCode, resendAtMs, email, action: 'VERIFY_OTP' } as const
  await showCode(stage, {
    title: purpose === 'recovery' ? 'recovery' : 'stepUp',
    email,
    resendAtMs,
    resend: () => resend(session, login),
    check: async (code) => session.adopt(await session.call(verifyLogin, { tx, code })),
    ...(signal && { signal }),
  })
}
