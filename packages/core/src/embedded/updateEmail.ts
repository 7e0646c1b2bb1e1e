import { LatchkeyError, unwrapEmail } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { replaceView, showView } from '../modal/navigate.ts'
import { alertTimeout } from './alertTimeout.ts'
import { getFrame } from './frame/getFrame.ts'
import { isEmail } from './login/isEmail.ts'
import { assertMayMail, noteMail } from './login/mailThrottle.ts'

type ChangeCode = { otp?: string; signal?: AbortSignal }

/**
 * A code that the page passes is checked at once; typing a code in the frame takes as long as the
 * user needs.
 */
const codeOptions = ({ otp, signal }: ChangeCode) => ({
  ...(!otp && { timeoutMs: null }),
  ...(signal && { signal }),
})

/**
 * Starts a change of the email address, after the user has agreed to it in the frame, and shows the
 * view of the code that is due. Throws EMAIL_INVALID, LOGIN_THROTTLED, SIGNED_OUT, USER_REJECTED.
 */
export const updateEmail = (
  app: App,
  parameters: { email: string; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => {
    const email = unwrapEmail(parameters.email)
    if (!isEmail(email)) throw new LatchkeyError('EMAIL_INVALID')
    assertMayMail(app)
    const { signal } = parameters
    const frame = await getFrame(app)
    const step = await frame
      .request('APP_UPDATE_EMAIL', { email }, { timeoutMs: null, ...(signal && { signal }) })
      .catch((error: unknown) => alertTimeout(app, error))
    noteMail(app, { email, resendSeconds: step.resendSeconds })
    const isPrimary = step.action === 'VERIFY_PRIMARY_OTP'
    showView(app, { name: isPrimary ? 'UpdateEmailPrimaryOtp' : 'UpdateEmailSecondaryOtp' })
  })

/** Confirms the code of the present address, then shows the view of the other code. */
export const confirmPresentEmail = (app: App, parameters: ChangeCode = {}): Promise<void> =>
  attempt(async () => {
    const { otp } = parameters
    const frame = await getFrame(app)
    await frame
      .request('APP_UPDATE_EMAIL_PRIMARY_OTP', otp ? { otp } : {}, codeOptions(parameters))
      .catch((error: unknown) => alertTimeout(app, error))
    const top = app.store.getState().modal.history.at(-1)
    if (top?.name === 'UpdateEmailPrimaryOtp') replaceView(app, { name: 'UpdateEmailSecondaryOtp' })
  })

/** Confirms the code of the new address; resolves to that address. */
export const confirmNewEmail = (app: App, parameters: ChangeCode = {}): Promise<string> =>
  attempt(async () => {
    const { otp } = parameters
    const frame = await getFrame(app)
    const { newEmail: email } = await frame
      .request('APP_UPDATE_EMAIL_SECONDARY_OTP', otp ? { otp } : {}, codeOptions(parameters))
      .catch((error: unknown) => alertTimeout(app, error))
    app.storage.set('email', email)
    app.store.setState(({ user }) => ({ user: { ...user, email }, login: undefined }))
    return email
  })
