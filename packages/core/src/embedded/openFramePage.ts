import type { FramePage } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { getFrame } from './frame/getFrame.ts'

/** Shows a page of the secure frame; resolves when the user closes it. Throws SIGNED_OUT. */
export const openFramePage = (
  app: App,
  parameters: { page: FramePage; signal?: AbortSignal },
): Promise<void> =>
  attempt(async () => {
    const { page, signal } = parameters
    const frame = await getFrame(app)
    await frame.request('APP_OPEN', { page }, { timeoutMs: null, ...(signal && { signal }) })
  })
