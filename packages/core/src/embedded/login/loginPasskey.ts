import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { alertTimeout } from '../alertTimeout.ts'
import { getFrame } from '../frame/getFrame.ts'
import { finishLogin } from './loginEmail.ts'

/**
 * Logs in with a passkey, on a screen of the secure frame, and applies the accounts. Throws
 * USER_REJECTED, FRAME_NOT_LOADED, PASSKEY_REFUSED.
 */
export const loginPasskey = (
  app: App,
  parameters: { signal?: AbortSignal | undefined },
): Promise<void> =>
  attempt(async () => {
    const { signal } = parameters
    const frame = await getFrame(app)
    signal?.throwIfAborted()
    await frame
      .request('APP_CONNECT_PASSKEY', {}, { timeoutMs: null, ...(signal && { signal }) })
      .catch((error: unknown) => alertTimeout(app, error))
    await finishLogin(app, signal ? { signal } : {})
  })
