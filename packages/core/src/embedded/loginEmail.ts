import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'

/**
 * Asks the secure frame to log in by e-mail, and shows the view of the next step: the device to confirm, the code, or none
 * when a session lives. Throws EMAIL_INVALID, LOGIN_THROTTLED, EMAIL_LOGIN_OFF, FRAME_NOT_LOADED, and INTERNAL after an
 * alert when the frame takes more than 30 s.
 */
export const loginEmail = (
  app: App,
  parameters: { email: string; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => (await import('./startEmailLogin.ts')).startEmailLogin(app, parameters))
