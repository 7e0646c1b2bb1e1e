import {
  type FrameProtocol,
  type Handlers,
  isError,
  LatchkeyError,
  readMe,
  unwrapEmail,
} from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { enterCode } from '../flows/enterCode.ts'
import { en } from '../locales/en.ts'
import {
  beginLogin,
  type Login,
  resendCode,
  verifyCode,
  waitForApproval,
} from '../session/login.ts'
import type { Session } from '../session/session.ts'
import type { Account } from './createAccount.ts'

type Answers = Pick<
  Handlers<FrameProtocol>,
  | 'APP_CONNECT_EMAIL'
  | 'APP_RESEND'
  | 'APP_CONNECT_DEVICE'
  | 'APP_CONNECT_OTP'
  | 'APP_IS_CONNECTED'
  | 'APP_SIGN_OUT'
>

/** E-mail login and logout for the page at `origin`. */
export function loginHandlers(context: FrameContext, account: Account, origin: string): Answers {
  const { facts, session, keys, screenQueue } = context
  let login: Login | undefined
  let knownDevice: string | undefined

  const running = () => {
    if (!login) throw new LatchkeyError('LOGIN_ENDED')
    return login
  }
  return {
    APP_CONNECT_EMAIL: async ({ email }) => {
      const found = await session.read()
      if (found?.email && sameEmail(found.email, email) && (await isLive(session)))
        return { action: 'CONNECT' }
      const place = { projectId: facts.projectId, origin }
      login = await beginLogin(session, email, {
        ...place,
        knownDevice: knownDevice ?? found?.knownDevice,
      })
      const { action, matchCode, resendAtMs } = login
      const resendSeconds = secondsUntil(resendAtMs)
      return action === 'VERIFY_DEVICE'
        ? { action, matchCode, resendSeconds }
        : { action, resendSeconds }
    },
    APP_RESEND: async () => {
      const resendSeconds = await resendCode(session, running())
      login = { ...running(), resendAtMs: Date.now() + resendSeconds * 1_000 }
      return { resendSeconds }
    },
    APP_CONNECT_DEVICE: async (_, { signal }) => {
      await waitForApproval(session, running(), signal)
      return {}
    },
    APP_CONNECT_OTP: ({ otp }, { signal }) =>
      screenQueue.during(async () => {
        const started = running()
        // A login on this page also shows it the account.
        const share = async () => {
          const { email } = await account.bindUser()
          await account.grantConsent({ withEmail: email !== null })
        }
        await enterCode(context, otp, {
          title: en.code.title,
          email: started.email,
          matchCode: started.matchCode,
          resendAtMs: started.resendAtMs,
          resendCode: () => resendCode(session, started),
          check: async (code) => {
            keys.close()
            await verifyCode(session, started, code)
            await share()
          },
          loadPasskeyOffer: async () => {
            const { preparePasskeyOffer } = await import('../flows/preparePasskeyOffer.ts')
            return preparePasskeyOffer(context, { origin, bind: account.bindUser, share })
          },
          signal,
        })
        login = undefined
        await account.getAddresses(signal)
        return {}
      }),
    APP_IS_CONNECTED: async ({ token }) => {
      if (token !== undefined) knownDevice = token
      return { isConnected: Boolean(await session.read()) && (await isLive(session)) }
    },
    APP_SIGN_OUT: async () => {
      // First: a page that reloads while the server is asked must not leave a session that ended and a consent that did not.
      await account.revokeConsent()
      await session.end({})
      return {}
    },
  }
}

const secondsUntil = (atMs: number) => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000))

const sameEmail = (one: string, other: string) =>
  unwrapEmail(one).toLowerCase() === unwrapEmail(other).toLowerCase()

async function isLive(session: Session): Promise<boolean> {
  try {
    await session.call(readMe, {})
    return true
  } catch (error) {
    if (isError(error, 'SIGNED_OUT')) return false
    throw error
  }
}
