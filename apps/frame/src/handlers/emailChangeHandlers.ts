import {
  addEmailRoute,
  canParseUrl,
  changeEmailRoute,
  type FrameProtocol,
  type Handlers,
  isError,
  LatchkeyError,
  readMeRoute,
  resendEmailCodeRoute,
  unwrapEmail,
  verifyPrimaryEmailRoute,
  verifySecondaryEmailRoute,
} from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { confirmEmailChange } from '../flows/confirmEmailChange.ts'
import { enterCode } from '../flows/enterCode.ts'
import { askPasskey, withStepUp } from '../flows/withStepUp.ts'
import type { HostConnection } from '../host/hostConnection.ts'
import { codes } from '../locales/codes.en.ts'
import type { FrameAccount } from './createAccount.ts'

export type EmailChangeHandlers = Pick<
  Handlers<FrameProtocol>,
  'APP_UPDATE_EMAIL' | 'APP_UPDATE_EMAIL_PRIMARY_OTP' | 'APP_UPDATE_EMAIL_SECONDARY_OTP'
>

/**
 * A change that the user has confirmed. Its screens show this target, even if the page requests
 * another one meanwhile.
 */
type Change = {
  readonly changeTx: string
  /** Null for the first address of an account. */
  readonly from: string | null
  readonly to: string
  resendAtMs: number
}

const t = codes.change

/**
 * Changes the email address: the user confirms first, then enters a code sent to the old address
 * and one sent to the new address. For a first address, a passkey or a sign-in at a provider takes
 * the place of the first code.
 */
export function emailChangeHandlers(
  context: FrameContext,
  account: FrameAccount,
  connection: HostConnection,
): EmailChangeHandlers {
  const { session } = context
  const { origin } = connection
  let change: Change | undefined
  let latest: object | undefined
  /** A first address that was confirmed, but whose code could not be emailed. */
  let unsent: { readonly changeTx: string; readonly to: string } | undefined

  const running = () => {
    if (!change) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
    return change
  }
  const inMs = ({ resendSeconds }: { resendSeconds: number }) => Date.now() + resendSeconds * 1_000
  const codeScreen = ({ changeTx, from, to, resendAtMs }: Change) => ({
    about: { text: from === null ? codes.stepUp.addEmail : t.change, target: to },
    resendCode: async () => (await session.call(resendEmailCodeRoute, { changeTx })).resendSeconds,
    resendAtMs,
  })
  /**
   * Takes over the account's current address; a change that began with another address has ended.
   */
  const followEmail = async () => {
    await session.setEmail(await session.call(readMeRoute, {}))
    return new LatchkeyError('EMAIL_CHANGE_ENDED')
  }
  return {
    APP_UPDATE_EMAIL: async ({ email }, { signal }) => {
      // Starting again cancels the previous change; only the last confirmed one continues.
      change = undefined
      const own = {}
      latest = own
      const { email: from } = await account.requireUser()
      const to = parseEmail(email)
      // The server does not add a first address to an account without a wallet.
      if (from === null) await account.getAddresses(signal)
      await confirmEmailChange(context, { from, to, origin, signal })
      const requireCurrent = async () => {
        if (latest !== own || (await account.requireUser()).email !== from)
          throw new LatchkeyError('EMAIL_CHANGE_ENDED')
      }
      await requireCurrent()
      const started =
        from === null && unsent?.to === to
          ? { changeTx: unsent.changeTx, action: 'STEP_UP' as const, resendSeconds: 0 }
          : await session.call(changeEmailRoute, { to }, { signal })
      unsent = undefined
      await requireCurrent()
      const { changeTx } = started
      const confirming = { action: `change ${changeTx}` as const, origin, signal }
      const next = { changeTx, from, to }
      if (started.action === 'VERIFY_PRIMARY_OTP' && from !== null) {
        const about = { text: codes.stepUp.change, target: to }
        await askPasskey(context, { ...confirming, about })
        await requireCurrent()
        change = { ...next, resendAtMs: inMs(started) }
        return { action: started.action, resendSeconds: started.resendSeconds }
      }
      // Another browser has added an address meanwhile, and this one does not know that yet.
      if (started.action !== 'STEP_UP' || from !== null) throw await followEmail()
      const about = { text: codes.stepUp.addEmail, target: to }
      const added = await withStepUp(context, { ...confirming, about }, async () => {
        await requireCurrent()
        return session.call(addEmailRoute, { changeTx }, { signal })
      }).catch((error: unknown) => {
        if (isError(error, 'MAIL_NOT_SENT')) unsent = { changeTx, to }
        throw error
      })
      await requireCurrent()
      change = { ...next, resendAtMs: inMs(added) }
      return added
    },
    APP_UPDATE_EMAIL_PRIMARY_OTP: async ({ otp }, { signal }) => {
      const own = running()
      const { from } = own
      if (from === null) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
      await account.requireUser()
      await enterCode(context, {
        otp,
        origin,
        title: t.titlePrimary,
        email: from,
        ...codeScreen(own),
        check: async (code, page) => {
          const { changeTx } = own
          own.resendAtMs = inMs(
            await session.call(verifyPrimaryEmailRoute, { changeTx, code, page }),
          )
        },
        signal,
      })
      return {}
    },
    APP_UPDATE_EMAIL_SECONDARY_OTP: async ({ otp }, { signal }) => {
      const own = running()
      const { userId } = await account.requireUser()
      const { newEmail } = await enterCode(context, {
        otp,
        origin,
        title: t.titleSecondary,
        email: own.to,
        ...codeScreen(own),
        check: (code, page) =>
          session.call(verifySecondaryEmailRoute, { changeTx: own.changeTx, code, page }),
        signal,
      })
      if (change === own) change = undefined
      await session.setEmail({ userId, email: newEmail })
      // The screen for a first address announces that this page receives it. The screen for a
      // change does not, and gives the page nothing new.
      if (own.from === null && (await account.hasConsent()))
        await account.grantConsent({ withEmail: true })
      connection.emit('FRAME_EMAIL', { email: newEmail })
      return { newEmail }
    },
  }
}

/**
 * Parses an email address the way the server stores and uses it, so that the user sees the address
 * that is used. Letters beyond ASCII stay in the part before the @; in a domain they become
 * punycode (`xn--…`). Throws EMAIL_INVALID.
 */
function parseEmail(text: string): string {
  const [name = '', host = '', ...more] = unwrapEmail(text)
    .toLowerCase()
    .normalize('NFKC')
    .split('@')
  const domain = readHost(host)
  if (more.length > 0 || !/^[!-~\p{L}\p{M}\p{N}]+$/u.test(name) || domain === undefined)
    throw new LatchkeyError('EMAIL_INVALID')
  return `${name}@${domain}`
}

/** Converts a bare host to ASCII with the browser's URL parser. */
function readHost(text: string): string | undefined {
  const address = `https://${text}`
  if (text === '' || !canParseUrl(address)) return undefined
  const { hostname, href } = new URL(address)
  return href === `https://${hostname}/` && /^[a-z0-9.-]+$/.test(hostname) ? hostname : undefined
}
