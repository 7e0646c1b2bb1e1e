import { LatchkeyError } from '@latchkey/wire'
import type { App } from '../createApp.ts'
import { showView } from '../modal/showView.ts'
import { alertTimeout } from './alertTimeout.ts'
import { finishLogin } from './finishLogin.ts'
import { getFrame } from './getFrame.ts'
import { isEmail } from './isEmail.ts'
import { assertMayMail, noteMail } from './mailThrottle.ts'

/** What `loginEmail` does. */
export async function startEmailLogin(
  app: App,
  parameters: { email: string; signal?: AbortSignal },
): Promise<void> {
  const { signal } = parameters
  const email = parameters.email.trim()
  if (!isEmail(email)) throw new LatchkeyError('EMAIL_INVALID')
  assertMayMail(app)
  const frame = await getFrame(app)
  signal?.throwIfAborted()
  // A browser that forgets the frame's storage is known again by this, and needs no link in a mail.
  const token = app.storage.get('knownDevice')
  if (token) await frame.request('APP_IS_CONNECTED', { token }).catch(() => {})
  const step = await frame
    .request('APP_CONNECT_EMAIL', { email }, { ...(signal && { signal }) })
    .catch((error: unknown) => alertTimeout(app, error))
  if (step.action === 'CONNECT') return finishLogin(app, parameters)
  noteMail(app, { email, resendSeconds: step.resendSeconds, matchCode: step.matchCode })
  const isNew = step.action === 'VERIFY_DEVICE'
  showView(app, { name: isNew ? 'EmailVerifyDevice' : 'EmailVerifyOtp' })
}
