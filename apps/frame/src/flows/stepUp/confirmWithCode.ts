import { isError, type StepUpAction, startLoginRoute, verifyLoginRoute } from '@latchkey/wire'
import { resendCode } from '../../auth/login.ts'
import type { FrameContext } from '../../context.ts'
import { codes } from '../../locales/codes.en.ts'
import { social } from '../../locales/social.en.ts'
import type { CodeScreenPurpose } from '../../screens/CodeScreen.tsx'
import {
  type ConfirmationMethods,
  confirmAtOwnProvider,
  listConfirmationMethods,
} from '../confirmAtProvider.ts'
import { showCode } from '../showCode.ts'

const t = codes.stepUp
const codeAlone: ConfirmationMethods = { providers: [], isCodeEnough: true }

export type StepUpContext = Pick<FrameContext, 'session' | 'screenQueue'> & {
  readonly facts: { readonly projectId: string }
}
/** The purpose of a code; its email names the same purpose. */
export type StepUp = {
  readonly action: StepUpAction | 'recovery'
  readonly about: CodeScreenPurpose
}
export type StepUpRequest = StepUp & { readonly origin: string; readonly signal?: AbortSignal }

/**
 * Confirms one action with an emailed code, or by signing in again at a provider of the account,
 * which is offered next to the code: a mailbox that the user has lost, or that an attacker has
 * added, must not be the only way. A recovery can be confirmed only with a code. Removing the
 * address, or a sign-in that is older than the address, can never be confirmed with a code. Throws
 * USER_REJECTED.
 */
export async function confirmWithCode(
  { session, screenQueue, facts }: StepUpContext,
  { origin, action, about, signal }: StepUpRequest,
): Promise<void> {
  const { projectId } = facts
  const context = { session, screenQueue, facts }
  const email = (await session.read())?.email ?? null
  const ways = action === 'recovery' ? codeAlone : await findWays(session, { action, email })
  const hasProvider = ways.providers.length > 0
  const goToProvider = async () => {
    if (action !== 'recovery')
      await confirmAtOwnProvider(context, { ways, origin, action, about, signal })
  }
  if ((email === null || !ways.isCodeEnough) && action !== 'recovery') return goToProvider()
  const purpose =
    action === 'recovery'
      ? { purpose: 'recovery' as const }
      : { purpose: 'step-up' as const, action }
  const started = await session
    .call(startLoginRoute, { projectId, origin, ...purpose })
    .catch((error: unknown) => {
      // No email can be sent to this address now.
      const isStuck = isError(error, 'MAIL_NOT_SENT') || isError(error, 'LOGIN_THROTTLED')
      if (isStuck && hasProvider) return undefined
      throw error
    })
  if (!started) return goToProvider()
  const { tx, matchCode } = started
  const resendAtMs = Date.now() + started.resendSeconds * 1_000
  const login = { tx, matchCode, resendAtMs, email: email ?? '', action: 'VERIFY_OTP' } as const
  const way = await showCode<'code' | 'provider'>(screenQueue, {
    title: action === 'recovery' ? t.titleRecovery : t.title,
    about,
    email: login.email,
    matchCode,
    resendAtMs,
    resendCode: () => resendCode(session, login),
    check: async (code) => {
      await session.saveTokens(await session.call(verifyLoginRoute, { tx, code }))
      return 'code'
    },
    ...(hasProvider && { other: { label: social.instead, result: 'provider' as const } }),
    ...(signal && { signal }),
  })
  if (way === 'provider') await goToProvider()
}

/**
 * Reads the ways to confirm. If the server cannot list them now, a code is enough for everything
 * except the removal of a way to sign in.
 */
async function findWays(
  session: StepUpContext['session'],
  { action, email }: { readonly action: StepUpAction; readonly email: string | null },
): Promise<ConfirmationMethods> {
  try {
    return await listConfirmationMethods(session, action)
  } catch (error) {
    if (email === null || action.startsWith('unlink ')) throw error
    return codeAlone
  }
}
