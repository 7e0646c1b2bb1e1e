import type { awaitDevice as route } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { Auth } from '../auth.ts'
import type { ProvenCall } from '../mount.ts'
import { findLogin } from './login.ts'

const waitMs = 20_000
const askEveryMs = 500

/** Waits until the browser of a login is approved, at most 20 s. */
export async function awaitDevice(
  auth: Auth,
  { body, jkt, signal }: ProvenCall<typeof route>,
): Promise<z.infer<typeof route.result>> {
  const ending = AbortSignal.any([signal, auth.stopping])
  const endsAt = performance.now() + waitMs
  for (;;) {
    const { approved_at } = await findLogin(auth, { tx: body.tx, jkt })
    if (approved_at !== null) return { approved: true }
    if (ending.aborted || performance.now() >= endsAt) return { approved: false }
    await pause(ending)
  }
}

/** Waits for half a second, or until `ending`. */
export const pause = (ending: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      ending.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, askEveryMs)
    ending.addEventListener('abort', done)
  })
