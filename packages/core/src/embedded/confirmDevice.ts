import { attempt } from '../attempt.ts'
import type { App } from '../createApp.ts'
import { replaceView } from '../modal/modal.ts'
import { getFrame } from './getFrame.ts'

/** Waits until the link in the mail was opened and this browser approved, then shows the code's view. Throws LOGIN_ENDED. */
export const confirmDevice = (app: App, { signal }: { signal?: AbortSignal } = {}): Promise<void> =>
  attempt(async () => {
    const frame = await getFrame(app)
    await frame.request('APP_CONNECT_DEVICE', {}, { timeoutMs: null, ...(signal && { signal }) })
    const top = app.store.getState().modal.history.at(-1)
    if (top?.name === 'EmailVerifyDevice') replaceView(app, { name: 'EmailVerifyOtp' })
  })
