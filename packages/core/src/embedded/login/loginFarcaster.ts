import { LatchkeyError } from '@latchkey/wire'
import { countEvent } from '../../analytics/countEvent.ts'
import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { alertTimeout } from '../alertTimeout.ts'
import type { SecureFrame } from '../frame/frame.ts'
import { getFrame } from '../frame/getFrame.ts'
import { finishLogin } from './loginEmail.ts'

/** How long after the user leaves the login the frame is reloaded. */
const refreshAfterMs = 100

/**
 * Logs in with Farcaster. `onUrl` gets the URL for the user's Farcaster app; `onSigned` is called
 * when the app has signed and the account is read. If aborted before its end, the frame is
 * reloaded. Throws LOGIN_THROTTLED, LOGIN_ENDED, USER_REJECTED, OUTBOUND_FAILED, FRAME_NOT_LOADED.
 */
export const loginFarcaster = (
  app: App,
  parameters: {
    onUrl: (url: string) => void
    onSigned: () => void
    signal: AbortSignal
  },
): Promise<void> =>
  attempt(async () => {
    const { onUrl, onSigned, signal } = parameters
    const frame = await getFrame(app)
    signal.throwIfAborted()
    const leave = () => void refresh(app, frame)
    signal.addEventListener('abort', leave, { once: true })
    try {
      const { url } = await frame
        .request('APP_GET_FARCASTER_URI', {}, { signal })
        .catch((error: unknown) => alertTimeout(app, error))
      if (!/^https?:$/.test(new URL(url).protocol)) throw new LatchkeyError('ANSWER_INVALID')
      onUrl(url)
      await frame.request('APP_CONNECT_FARCASTER', {}, { timeoutMs: null, signal })
      onSigned()
    } finally {
      signal.removeEventListener('abort', leave)
    }
    await finishLogin(app, { provider: 'farcaster', signal })
    countEvent(app, { event: 'SOCIAL_LOGIN_SUCCESS', properties: { provider: 'farcaster' } })
  })

async function refresh({ environment }: App, frame: SecureFrame): Promise<void> {
  await environment.sleep(refreshAfterMs)
  await frame.request('APP_RELOAD', {}).catch(() => {})
}
