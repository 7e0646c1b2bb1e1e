import {
  changeEmail,
  type FrameProtocol,
  type Handlers,
  LatchkeyError,
  resendEmailCode,
  verifyPrimaryEmail,
  verifySecondaryEmail,
} from '@latchkey/wire'
import type { Parts } from '../createFrame.ts'
import { withStepUp } from '../flows/withStepUp.ts'
import type { HostLine } from '../host/line.ts'
import { enterCode } from './enterCode.ts'
import type { Account } from './openAccount.ts'

export type EmailChange = Pick<
  Handlers<FrameProtocol>,
  'APP_UPDATE_EMAIL' | 'APP_UPDATE_EMAIL_PRIMARY_OTP' | 'APP_UPDATE_EMAIL_SECONDARY_OTP'
>

/** Another e-mail address, proved by a code to the old one and one to the new. */
export function answerEmailChange(parts: Parts, account: Account, line: HostLine): EmailChange {
  const { session } = parts
  let changeTx: string | undefined
  let resendAtMs = 0
  const noteMail = ({ resendSeconds }: { resendSeconds: number }) => {
    resendAtMs = Date.now() + resendSeconds * 1_000
  }

  const running = () => {
    if (!changeTx) throw new LatchkeyError('EMAIL_CHANGE_ENDED')
    return changeTx
  }
  const resendOf = (changeTx: string) => ({
    resend: async () => (await session.call(resendEmailCode, { changeTx })).resendSeconds,
    resendAtMs,
  })
  return {
    APP_UPDATE_EMAIL: async ({ email }) => {
      await account.signedIn()
      const begun = await withStepUp(parts, { origin: line.origin, purpose: 'step-up' }, () =>
        session.call(changeEmail, { email }),
      )
      changeTx = begun.changeTx
      noteMail(begun)
      return { action: begun.action, resendSeconds: begun.resendSeconds }
    },
    APP_UPDATE_EMAIL_PRIMARY_OTP: async ({ otp }, { signal }) => {
      const tx = running()
      const { email } = await account.signedIn()
      await enterCode(parts, otp, {
        title: 'primary',
        email,
        ...resendOf(tx),
        check: async (code) =>
          noteMail(await session.call(verifyPrimaryEmail, { changeTx: tx, code })),
        signal,
      })
      return {}
    },
    APP_UPDATE_EMAIL_SECONDARY_OTP: async ({ otp }, { signal }) => {
      const tx = running()
      const { newEmail } = await enterCode(parts, otp, {
        title: 'secondary',
        email: '',
        ...resendOf(tx),
        check: (code) => session.call(verifySecondaryEmail, { changeTx: tx, code }),
        signal,
      })
      changeTx = undefined
      await session.rename(newEmail)
      line.emit('FRAME_EMAIL', { email: newEmail })
      return { newEmail }
    },
  }
}
