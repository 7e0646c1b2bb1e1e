import { isError, LatchkeyError, type StepUpAction } from '@latchkey/wire'
import { codes } from '../locales/codes.en.ts'
import type { StepUpContext, StepUpRequest } from './stepUp/confirmWithCode.ts'

const t = codes.stepUp

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
 * Confirms one action of the session: with a passkey if the user has one, else with a code from the
 * mailbox, or by signing in again at a provider of the account.
 */
export async function stepUp(context: StepUpContext, request: StepUpRequest): Promise<void> {
  const { action } = request
  const isConfirmed = action !== 'recovery' && (await askPasskey(context, { ...request, action }))
  if (isConfirmed) return
  const { confirmWithCode } = await import('./stepUp/confirmWithCode.ts')
  await confirmWithCode(context, request)
}

/**
 * Confirms one action with a passkey. Returns false if the user has no passkey, or a code is
 * enough. A user who cannot use the passkey can report that instead. Throws USER_REJECTED, also
 * after a report.
 */
export async function askPasskey(
  context: StepUpContext,
  request: StepUpRequest & { readonly action: StepUpAction },
): Promise<boolean> {
  const { confirmWithPasskey, reportLoss } = await import('./confirmWithPasskey.ts')
  const { projectId } = context.facts
  const confirmation = await confirmWithPasskey(context, { ...request, projectId })
  if (confirmation !== 'lost') return confirmation === 'confirmed'
  const { confirmWithCode } = await import('./stepUp/confirmWithCode.ts')
  const loss = { action: 'lost passkey', about: { text: t.lostPasskey } } as const
  await confirmWithCode(context, { ...request, ...loss })
  await reportLoss(context, request.signal)
  throw new LatchkeyError('USER_REJECTED')
}
