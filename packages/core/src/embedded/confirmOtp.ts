import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'
import { alertTimeout } from './alertTimeout.ts'
import { finishLogin } from './finishLogin.ts'
import { getFrame } from './getFrame.ts'

/**
 * Has the code confirmed and connects. Without an `otp` the frame asks for it, so that this page never sees one. Throws
 * CODE_WRONG, CODE_USED_UP, LOGIN_ENDED, USER_REJECTED.
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
