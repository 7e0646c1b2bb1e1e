import { isError, LatchkeyError, type StepUpAction, startLogin, verifyLogin } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { codes } from '../locales/codes.en.ts'
import type { CodePurpose } from '../screens/CodeScreen.tsx'
import { resendCode } from '../session/login.ts'
import { showCode } from './showCode.ts'

const t = codes.stepUp

type StepUpContext = Pick<FrameContext, 'session' | 'screenQueue'> & {
  readonly facts: { readonly projectId: string }
}
/** The purpose of a code; its mail names the same purpose. */
export type StepUp = { readonly action: StepUpAction | 'recovery'; readonly about: CodePurpose }
type StepUpRequest = StepUp & { readonly origin: string; readonly signal?: AbortSignal }

/** Runs `work`. If the server requires a confirmation first, asks for it and runs it again. */
export async function withStepUp<Result>(
  context: StepUpContext,
  request: StepUpRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!isError(error, 'STEP_UP_NEEDED')) throw error
  }
  await stepUp(context, request)
  return work()
}

/**
 * Confirms one action of the session: with a passkey if the user has one, else with a code; without a mailbox, the user signs in at
 * the provider again.
 */
export async function stepUp(context: StepUpContext, request: StepUpRequest): Promise<void> {
  const { action } = request
  const isConfirmed = action !== 'recovery' && (await askPasskey(context, { ...request, action }))
  if (!isConfirmed) await enterCode(context, request)
}

/**
 * Confirms one action with a passkey. False if the user has none, or a code is enough. One who cannot use it reports that instead.
 * Throws USER_REJECTED, also after a report.
 */
export async function askPasskey(
  context: StepUpContext,
  request: StepUpRequest & { readonly action: StepUpAction },
): Promise<boolean> {
  const { confirmWithPasskey, reportLoss } = await import('./confirmWithPasskey.ts')
  const { projectId } = context.facts
  const confirmation = await confirmWithPasskey(context, { ...request, projectId })
  if (confirmation !== 'lost') return confirmation === 'confirmed'
  const loss = { action: 'lost passkey', about: { text: t.lostPasskey } } as const
  await enterCode(context, { ...request, ...loss })
  await reportLoss(context, request.signal)
  throw new LatchkeyError('USER_REJECTED')
}

async function enterCode(
  { session, screenQueue, facts }: StepUpContext,
  { origin, action, about, signal }: StepUpRequest,
): Promise<void> {
  const { projectId } = facts
  const user = await session.read()
  if (user?.email === null && action !== 'recovery') {
    const { visitOwnProvider } = await import('./visitProvider.ts')
    return visitOwnProvider({ session, screenQueue, facts }, { origin, action, about, signal })
  }
  const isRecovery = action === 'recovery'
  const purpose = isRecovery
    ? { purpose: 'recovery' as const }
    : { purpose: 'step-up' as const, action }
  const started = await session.call(startLogin, { projectId, origin, ...purpose })
  const email = user?.email ?? ''
  const resendAtMs = Date.now() + started.resendSeconds * 1_000
  const { tx, matchCode } = started
  const login = { tx, matchCode, resendAtMs, email, action: 'VERIFY_OTP' } as const
  await showCode(screenQueue, {
    title: isRecovery ? t.titleRecovery : t.title,
    about,
    email,
    matchCode,
    resendAtMs,
    resendCode: () => resendCode(session, login),
    check: async (code) => session.saveTokens(await session.call(verifyLogin, { tx, code })),
    ...(signal && { signal }),
  })
}
