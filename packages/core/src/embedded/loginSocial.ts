import { LatchkeyError, type SocialProvider } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { alertTimeout } from './alertTimeout.ts'
import { getFrame } from './getFrame.ts'
import { finishLogin } from './loginEmail.ts'

/** What is used of a provider's window. */
export type SocialWindow = {
  readonly closed: boolean
  readonly location: { href: string }
  close(): void
}

/**
 * Logs in at a provider, in a window that the visitor's click has opened, and takes over the accounts. Throws CHANNEL_CLOSED without
 * the window, LOGIN_THROTTLED, LOGIN_ENDED, USER_REJECTED, FRAME_NOT_LOADED, and INTERNAL after an alert when the frame takes more
 * than 30 s.
 */
export const loginSocial = (
  app: App,
  parameters: { provider: SocialProvider; opened: SocialWindow | undefined; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => {
    const { provider, opened, signal } = parameters
    if (!opened) throw new LatchkeyError('CHANNEL_CLOSED')
    const close = () => opened.close()
    signal?.addEventListener('abort', close, { once: true })
    try {
      const frame = await getFrame(app)
      signal?.throwIfAborted()
      const options = signal ? { signal } : {}
      const { uri } = await frame
        .request('APP_GET_SOCIAL_REDIRECT_URI', { provider }, options)
        .catch((error: unknown) => alertTimeout(app, error))
      if (new URL(uri).origin !== new URL(app.config.frameUrl ?? '').origin)
        throw new LatchkeyError('ANSWER_INVALID')
      opened.location.href = uri
      await frame.request('APP_CONNECT_SOCIAL', { uri }, { timeoutMs: null, ...options })
      await finishLogin(app, parameters)
    } catch (error) {
      close()
      throw error
    } finally {
      signal?.removeEventListener('abort', close)
    }
  })
