import { authHandle, confirmSocialRoute, LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { LoginSession } from '../auth/loginSession.ts'
import type { KeyStore } from '../wallet/keyStore.ts'

const storeKey = 'social return'
/** The same lifetime as a login on the server. */
const lifetimeMs = 15 * 60_000

const pending = z.object({
  tx: authHandle,
  /** The origin of the page that began the login. */
  origin: z.string(),
  projectId: z.string(),
  /** Whether the page itself went to the provider, so that no tab waits. */
  inTab: z.boolean(),
  expiresAtMs: z.number(),
})
type Pending = z.infer<typeof pending>
type Begun = Omit<Pending, 'expiresAtMs'>

/** Stores the login whose user may return to the page. Only the newest login is kept. */
export const savePending = (store: KeyStore, begun: Begun, nowMs: number): Promise<void> =>
  store.put(storeKey, { ...begun, expiresAtMs: nowMs + lifetimeMs } satisfies Pending)

/**
 * Confirms the stored login after the user's return, once: the challenge proves that this browser
 * went to the provider. Only the page and the project that began the login can do this, because
 * pages of one site share this store. Throws LOGIN_ENDED.
 */
export async function takePending(
  { store, session }: { store: KeyStore; session: LoginSession },
  { challenge, origin, projectId }: { challenge: string; origin: string; projectId: string },
  nowMs: number,
): Promise<Pending> {
  const found = z.safeParse(pending, await store.get(storeKey))
  if (!found.success || found.data.origin !== origin || found.data.projectId !== projectId)
    throw new LatchkeyError('LOGIN_ENDED')
  await store.delete(storeKey)
  if (found.data.expiresAtMs < nowMs) throw new LatchkeyError('LOGIN_ENDED')
  await session.call(confirmSocialRoute, { tx: found.data.tx, challenge }, { as: 'proof' })
  return found.data
}
