import { isError, LatchkeyError, presentationOf } from '@latchkey/wire'
import type { App } from '../createApp.ts'
import { showAlert } from '../modal/present.ts'
import { attempt } from './attempt.ts'
import { finishLogin } from './finishLogin.ts'
import { frameOf } from './frameOf.ts'
import { assertMayMail, noteMail } from './mailThrottle.ts'
import { showView } from './showView.ts'

/**
 * Asks the secure frame to log in by e-mail, and shows the view of the next step: the device to confirm, the code, or none
 * when a session lives. Throws EMAIL_INVALID, LOGIN_THROTTLED, EMAIL_LOGIN_OFF, FRAME_NOT_LOADED, and INTERNAL after an
 * alert when the frame takes more than 30 s.
 */
export const loginEmail = (
  app: App,
  parameters: { email: string; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => {
    const { signal } = parameters
    const email = parameters.email.trim()
    if (!isEmail(email)) throw new LatchkeyError('EMAIL_INVALID')
    assertMayMail(app)
    const frame = await frameOf(app)
    signal?.throwIfAborted()
    const step = await frame
      .request('APP_CONNECT_EMAIL', { email }, { ...(signal && { signal }) })
      .catch((error: unknown) => alertTimeout(app, error))
    if (step.action === 'CONNECT') return finishLogin(app, parameters)
    noteMail(app, { email, resendSeconds: step.resendSeconds, matchCode: step.matchCode })
    const isNew = step.action === 'VERIFY_DEVICE'
    showView(app, { name: isNew ? 'EmailVerifyDevice' : 'EmailVerifyOtp' })
  })

/** Whether a text has the form of an e-mail address; whether it is one only a mail tells. */
export const isEmail = (text: string): boolean =>
  text.length <= 320 && /^[^\s@<>,;]+@[^\s@.<>,;]+(\.[^\s@.<>,;]+)+$/u.test(text)

/** A frame that does not answer is shown to the app's developer (spec §8). */
export function alertTimeout(app: App, error: unknown): never {
  if (isError(error, 'TIMEOUT')) {
    showAlert(app, new LatchkeyError('FRAME_TIMEOUT'))
    throw new LatchkeyError('INTERNAL', { cause: error })
  }
  if (isError(error) && presentationOf(error.code) === 'alert') showAlert(app, error)
  throw error
}
