import {
  awaitDeviceRoute,
  LatchkeyError,
  type PassingPage,
  resendLoginRoute,
  startLoginRoute,
  unwrapEmail,
  verifyLoginRoute,
} from '@latchkey/wire'
import { isUnreached } from './dpopFetch.ts'
import type { LoginSession } from './loginSession.ts'

/** A login in progress. */
export type EmailLogin = {
  readonly tx: string
  readonly action: 'VERIFY_DEVICE' | 'VERIFY_OTP'
  readonly email: string
  /** Missing for a page that the project trusts with codes. */
  readonly matchCode?: string | undefined
  /** The mail with the link has the code. */
  readonly codeInLinkMail?: true | undefined
  /** By this page's clock. */
  readonly resendAtMs: number
}

type LoginParameters = {
  projectId: string
  origin: string
  knownDevice: string | undefined
  /** An action that the code allows in addition to signing in. */
  action?: 'export'
}

/** Sends an email with a link or a code. */
export async function beginLogin(
  session: LoginSession,
  typed: string,
  { knownDevice, ...place }: LoginParameters,
): Promise<EmailLogin> {
  const email = unwrapEmail(typed)
  const known = knownDevice === undefined ? {} : { knownDevice }
  const body = { email, ...place, ...known }
  const { resendSeconds, ...login } = await session.call(startLoginRoute, body, { as: 'proof' })
  return { ...login, email, resendAtMs: Date.now() + resendSeconds * 1_000 }
}

/** Sends another email. Returns the seconds until the next is possible. */
export const resendCode = async (session: LoginSession, { tx }: EmailLogin): Promise<number> =>
  (await session.call(resendLoginRoute, { tx }, { as: 'proof' })).resendSeconds

const pauseMs = 1_000

/**
 * Resolves when the link was approved; tolerates a lost connection. Throws LOGIN_ENDED, ABORTED.
 */
export async function waitForApproval(
  session: LoginSession,
  login: EmailLogin,
  signal: AbortSignal,
) {
  for (;;) {
    if (signal.aborted) throw new LatchkeyError('ABORTED')
    try {
      const { approved } = await session.call(
        awaitDeviceRoute,
        { tx: login.tx },
        { as: 'proof', signal },
      )
      if (approved) return
    } catch (error) {
      if (!isUnreached(error)) throw error
    }
    // A server that shuts down answers immediately.
    await new Promise((done) => setTimeout(done, pauseMs))
  }
}

/** Exchanges the code for a session. `page` has passed it on. */
export async function verifyCode(
  session: LoginSession,
  { tx }: EmailLogin,
  given: { readonly code: string; readonly page?: PassingPage | undefined },
): Promise<void> {
  await session.saveTokens(await session.call(verifyLoginRoute, { tx, ...given }, { as: 'proof' }))
}
