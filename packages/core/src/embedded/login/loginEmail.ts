import { LatchkeyError, type SocialProvider, unwrapEmail } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { connect } from '../../connection/connect.ts'
import { forceCloseModal } from '../../modal/modal.ts'
import { replaceView, showView } from '../../modal/navigate.ts'
import { alertTimeout } from '../alertTimeout.ts'
import { getFrame } from '../frame/getFrame.ts'
import { getLoginConnector } from './getLoginConnector.ts'
import { isEmail } from './isEmail.ts'
import { assertMayMail, getPendingEmail, noteMail } from './mailThrottle.ts'

/**
 * Starts a login by email in the secure frame, and shows the view of the next step: the device to
 * confirm, the code, or none if there is a session. Throws EMAIL_INVALID, LOGIN_THROTTLED,
 * EMAIL_LOGIN_OFF, FRAME_NOT_LOADED, and INTERNAL after an alert if the frame takes more than 30 s.
 */
export const loginEmail = (
  app: App,
  parameters: { email: string; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => {
    const { signal } = parameters
    const email = unwrapEmail(parameters.email)
    if (!isEmail(email)) throw new LatchkeyError('EMAIL_INVALID')
    // The frame continues a login of this address without another email.
    if (email !== getPendingEmail(app)) assertMayMail(app)
    const frame = await getFrame(app)
    signal?.throwIfAborted()
    // This token identifies a browser that has lost the frame's storage, so that it needs no link
    // by email.
    const token = app.storage.get('knownDevice')
    if (token) await frame.request('APP_IS_CONNECTED', { token }).catch(() => {})
    const step = await frame
      .request('APP_CONNECT_EMAIL', { email }, { ...(signal && { signal }) })
      .catch((error: unknown) => alertTimeout(app, error))
    if (step.action === 'CONNECT') return finishLogin(app, parameters)
    noteMail(app, { email, resendSeconds: step.resendSeconds, matchCode: step.matchCode })
    app.storage.set('pendingEmail', email)
    const isNew = step.action === 'VERIFY_DEVICE'
    showView(app, { name: isNew ? 'EmailVerifyDevice' : 'EmailVerifyOtp' })
  })

/**
 * Waits until the user has opened the link in the email and approved this browser, then shows the
 * code's view. Throws LOGIN_ENDED.
 */
export const confirmDevice = (app: App, { signal }: { signal?: AbortSignal } = {}): Promise<void> =>
  attempt(async () => {
    const frame = await getFrame(app)
    await frame.request('APP_CONNECT_DEVICE', {}, { timeoutMs: null, ...(signal && { signal }) })
    const top = app.store.getState().modal.history.at(-1)
    if (top?.name === 'EmailVerifyDevice') replaceView(app, { name: 'EmailVerifyOtp' })
  })

/**
 * Confirms the code and connects. Without an `otp`, the frame prompts for the code, so that this
 * page never sees it. Throws CODE_WRONG, CODE_USED_UP, LOGIN_ENDED, USER_REJECTED.
 */
export const confirmOtp = (
  app: App,
  parameters: { otp?: string; signal?: AbortSignal } = {},
): Promise<void> =>
  attempt(async () => {
    const { otp, signal } = parameters
    const frame = await getFrame(app)
    await frame
      .request('APP_CONNECT_OTP', otp ? { otp } : {}, {
        ...(!otp && { timeoutMs: null }),
        ...(signal && { signal }),
      })
      .catch((error: unknown) => alertTimeout(app, error))
    await finishLogin(app, parameters)
  })

/** Requests another link or code in the pending login. Throws LOGIN_THROTTLED, LOGIN_ENDED. */
export const resendEmail = (app: App): Promise<void> =>
  attempt(async () => {
    const { login } = app.store.getState()
    const frame = await getFrame(app)
    const { resendSeconds } = await frame.request('APP_RESEND', {})
    if (login) noteMail(app, { ...login, resendSeconds })
  })

const loginViews: readonly string[] = [
  'Connect',
  'EmailVerifyDevice',
  'EmailVerifyOtp',
  'ConnectSocials',
  'ConnectingSocial',
  'ConnectingFarcaster',
]

/**
 * Applies the accounts of the user who has logged in, and closes the modal if it shows the login's
 * views. `provider`: the provider of a social login.
 */
export async function finishLogin(
  app: App,
  { provider, signal }: { provider?: SocialProvider; signal?: AbortSignal },
): Promise<void> {
  const connectorId = getLoginConnector(app)?.info.id
  if (!connectorId) throw new LatchkeyError('CONNECTOR_NOT_FOUND')
  // A pending sign-out is obsolete after a login.
  app.storage.remove('signOutAtMs')
  if (provider) app.storage.set('social', { socialProvider: provider })
  else app.storage.remove('social')
  await connect(app, { connectorId, ...(signal && { signal }) })
  app.store.setState({ login: undefined })
  const top = app.store.getState().modal.history.at(-1)
  if (top && loginViews.includes(top.name)) forceCloseModal(app)
}
