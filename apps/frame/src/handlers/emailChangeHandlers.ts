import {
  changeEmail,
  type FrameProtocol,
  type Handlers,
  LatchkeyError,
  resendEmailCode,
  verifyPrimaryEmail,
  verifySecondaryEmail,
} from '@latchkey/wire'
import { confirmEmailChange } from '../flows/confirmEmailChange.ts'
import { enterCode } from '../flows/enterCode.ts'
import type { HostLine } from '../host/hostConnection.ts'
import { codes } from '../locales/codes.en.ts'
import type { Account } from './createAccount.ts'
import type { Parts } from './createHandlers.ts'
import { readEmail } from './parseEmail.ts'

export type EmailChange = Pick<
  Handlers<FrameProtocol>,
  'APP_UPDATE_EMAIL' | 'APP_UPDATE_EMAIL_PRIMARY_OTP' | 'APP_UPDATE_EMAIL_SECONDARY_OTP'
>

/** A change that a person has agreed to: its screens show this target, whatever the page asks for meanwhile. */
type Change = {
  readonly changeTx: string
  readonly from: string
  readonly to: string
  resendAtMs: number
}

const t = codes.change

/** Another e-mail address: agreed to first, then proved by a code to the old one and one to the new. */
export function answerEmailChange(parts: Parts, account: Account, line: HostLine): EmailChange {
  const { session } = parts
  const { origin } = line
  let change: Change | undefined
  let latest: object | undefined

  const running = () => {
    if (!change) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
    return change
  }
  const inMs = ({ resendSeconds }: { resendSeconds: number }) => Date.now() + resendSeconds * 1_000
  const screenOf = ({ changeTx, to, resendAtMs }: Change) => ({
    about: { text: t.change, target: to },
    resend: async () => (await session.call(resendEmailCode, { changeTx })).resendSeconds,
    resendAtMs,
  })
  return {
    APP_UPDATE_EMAIL: async ({ email }, { signal }) => {
      // Whoever begins anew gives up the change before: what goes on is what was agreed to last.
      change = undefined
      const own = {}
      latest = own
      const { email: from } = await account.signedIn()
      const to = readEmail(email)
      await confirmEmailChange(parts, { from, to, origin, signal })
      const stands = async () => latest === own && (await account.signedIn()).email === from
      if (!(await stands())) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
      const begun = await session.call(changeEmail, { to }, { signal })
      if (!(await stands())) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
      change = { changeTx: begun.changeTx, from, to, resendAtMs: inMs(begun) }
      return { action: begun.action, resendSeconds: begun.resendSeconds }
    },
    APP_UPDATE_EMAIL_PRIMARY_OTP: async ({ otp }, { signal }) => {
      const own = running()
      await account.signedIn()
      await enterCode(parts, otp, {
        title: t.titlePrimary,
        email: own.from,
        ...screenOf(own),
        check: async (code) => {
          const { changeTx } = own
          own.resendAtMs = inMs(await session.call(verifyPrimaryEmail, { changeTx, code }))
        },
        signal,
      })
      return {}
    },
    APP_UPDATE_EMAIL_SECONDARY_OTP: async ({ otp }, { signal }) => {
      const own = running()
      await account.signedIn()
      const { newEmail } = await enterCode(parts, otp, {
        title: t.titleSecondary,
        email: own.to,
        ...screenOf(own),
        check: (code) => session.call(verifySecondaryEmail, { changeTx: own.changeTx, code }),
        signal,
      })
      if (change === own) change = undefined
      await session.rename(newEmail)
      line.emit('FRAME_EMAIL', { email: newEmail })
      return { newEmail }
    },
  }
}
