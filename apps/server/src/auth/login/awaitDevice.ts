import type { awaitDeviceRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { Auth } from '../auth.ts'
import type { ProvenCall } from '../mount.ts'
import { waitFor } from '../waitFor.ts'
import { findLogin } from './login.ts'

/** Waits until the browser of a login is approved, at most 20 s. */
export async function awaitDevice(
  auth: Auth,
  { body, jkt, signal, address }: ProvenCall<typeof awaitDeviceRoute>,
): Promise<z.infer<typeof awaitDeviceRoute.result>> {
  const approved = await waitFor({ ...auth, signal, address }, async () => {
    const { approved_at } = await findLogin(auth, { tx: body.tx, jkt })
    return approved_at === null ? undefined : true
  })
  return { approved: approved ?? false }
}
