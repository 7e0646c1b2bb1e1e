import type { App } from '../../app.ts'
import { attempt } from '../../attempt.ts'
import { alertTimeout } from '../alertTimeout.ts'
import { getFrame } from '../frame/getFrame.ts'
import { finishLogin } from './loginEmail.ts'

/**
 * Logs in with a passkey, on a screen of the secure frame, and applies the accounts. With `create`,
 * a new passkey begins a new account, if the server allows that. Throws USER_REJECTED,
 * FRAME_NOT_LOADED, PASSKEY_REFUSED, LOGIN_THROTTLED, UNSUPPORTED_METHOD.
 */
export const loginPasskey = (
  app: App,
  parameters: { create?: boolean | undefined; signal?: AbortSignal | undefined },
): Promise<void> =>
  attempt(async () => {
    const { create, signal } = parameters
    const params = create ? { create } : {}
    const frame = await getFrame(app)
    signal?.throwIfAborted()
    await frame
      .request('APP_CONNECT_PASSKEY', params, { timeoutMs: null, ...(signal && { signal }) })
      .catch((error: unknown) => alertTimeout(app, error))
    await finishLogin(app, signal ? { signal } : {})
  })
