import {
  type FrameProtocol,
  type Handlers,
  isError,
  readMeRoute,
  unwrapEmail,
} from '@latchkey/wire'
import {
  beginLogin,
  type EmailLogin,
  resendCode,
  verifyCode,
  waitForApproval,
} from '../auth/login.ts'
import type { LoginSession } from '../auth/loginSession.ts'
import { openPendingLogin } from '../auth/pendingLogin.ts'
import type { FrameContext } from '../context.ts'
import { enterCode } from '../flows/enterCode.ts'
import { en } from '../locales/en.ts'
import type { FrameAccount } from './createAccount.ts'

type Answers = Pick<
  Handlers<FrameProtocol>,
  | 'APP_CONNECT_EMAIL'
  | 'APP_RESEND'
  | 'APP_CONNECT_DEVICE'
  | 'APP_CONNECT_OTP'
  | 'APP_IS_CONNECTED'
  | 'APP_SIGN_OUT'
>

/** Email login and logout for the page at `origin`. */
export function loginHandlers(
  context: FrameContext,
  account: FrameAccount,
  origin: string,
): Answers {
  const { facts, session, keys, screenQueue, store } = context
  const pending = openPendingLogin(store, { projectId: facts.projectId, origin })
  let knownDevice: string | undefined

  /** Runs a step of the login in progress. The server decides when the login has ended. */
  const withLogin = async <Result>(
    step: (login: EmailLogin) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await step(await pending.read())
    } catch (error) {
      if (isError(error, 'LOGIN_ENDED')) await pending.end()
      throw error
    }
  }
  /** Sends another mail. Once the browser is approved, that mail has only a code. */
  const resend = async (login: EmailLogin): Promise<number> => {
    const resendSeconds = await resendCode(session, login)
    await pending.update({
      resendAtMs: Date.now() + resendSeconds * 1_000,
      ...(login.action === 'VERIFY_OTP' && { codeInLinkMail: undefined }),
    })
    return resendSeconds
  }
  return {
    APP_CONNECT_EMAIL: async ({ email }) => {
      const found = await session.read()
      if (found?.email && sameEmail(found.email, email) && (await isLive(session)))
        return { action: 'CONNECT' }
      // The page may have been unloaded while the user read the email: this call continues that
      // login.
      const kept = await pending.read().catch(() => undefined)
      const begin = async () => {
        const place = { projectId: facts.projectId, origin }
        const device = { knownDevice: knownDevice ?? found?.knownDevice }
        return pending.begin(await beginLogin(session, email, { ...place, ...device }))
      }
      const { action, matchCode, resendAtMs } =
        kept && sameEmail(kept.email, email) ? kept : await begin()
      const resendSeconds = secondsUntil(resendAtMs)
      return action === 'VERIFY_DEVICE'
        ? { action, matchCode, resendSeconds }
        : { action, resendSeconds }
    },
    APP_RESEND: () => withLogin(async (login) => ({ resendSeconds: await resend(login) })),
    APP_CONNECT_DEVICE: (_, { signal }) =>
      withLogin(async (login) => {
        await waitForApproval(session, login, signal)
        await pending.update({ action: 'VERIFY_OTP' })
        return {}
      }),
    APP_CONNECT_OTP: ({ otp }, { signal }) =>
      screenQueue.during(async () => {
        const started = await pending.read()
        // A login on this page also shows the page the account: for good, unless the page itself
        // has passed the code on.
        const share = async (page?: unknown) => {
          const { email } = await account.bindUser()
          if (page !== undefined) return void (await account.takeTrust())
          await account.grantConsent({ withEmail: email !== null })
        }
        await enterCode(context, {
          otp,
          origin,
          title: en.code.title,
          email: started.email,
          matchCode: started.matchCode,
          codeInLinkMail: started.codeInLinkMail,
          resendAtMs: started.resendAtMs,
          resendCode: () => withLogin(resend),
          check: async (code, page) => {
            keys.close()
            await withLogin((login) => verifyCode(session, login, { code, page }))
            await pending.end()
            await share(page)
          },
          loadPasskeyOffer: async () => {
            const { preparePasskeyOffer } = await import('../flows/preparePasskeyOffer.ts')
            return preparePasskeyOffer(context, { origin, bind: account.bindUser, share })
          },
          signal,
        })
        await pending.end()
        await account.getAddresses(signal)
        return {}
      }),
    APP_IS_CONNECTED: async ({ token }) => {
      if (token !== undefined) knownDevice = token
      return { isConnected: Boolean(await session.read()) && (await isLive(session)) }
    },
    APP_SIGN_OUT: async () => {
      // First: a page that reloads during the request must not leave an ended session with a
      // consent still stored.
      await account.revokeConsent()
      await session.end({})
      return {}
    },
  }
}

const secondsUntil = (atMs: number) => Math.max(0, Math.ceil((atMs - Date.now()) / 1_000))

const sameEmail = (one: string, other: string) =>
  unwrapEmail(one).toLowerCase() === unwrapEmail(other).toLowerCase()

async function isLive(session: LoginSession): Promise<boolean> {
  try {
    await session.call(readMeRoute, {})
    return true
  } catch (error) {
    if (isError(error, 'SIGNED_OUT')) return false
    throw error
  }
}
