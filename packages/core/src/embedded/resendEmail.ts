import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'
import { getFrame } from './getFrame.ts'
import { noteMail } from './mailThrottle.ts'

/** Asks for another link or code in the login that runs. Throws LOGIN_THROTTLED, LOGIN_ENDED. */
export const resendEmail = (app: App): Promise<void> =>
  attempt(async () => {
    const { login } = app.store.getState()
    const frame = await getFrame(app)
    const { resendSeconds } = await frame.request('APP_RESEND', {})
    if (login) noteMail(app, { ...login, resendSeconds })
  })
