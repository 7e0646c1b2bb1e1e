import { LatchkeyError } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../wallet/keyStore.ts'
import type { EmailLogin } from './login.ts'

/** The same lifetime as a login on the server. */
const lifetimeMs = 30 * 60_000

const pending = z.object({
  tx: z.string(),
  action: z.enum(['VERIFY_DEVICE', 'VERIFY_OTP']),
  email: z.string(),
  matchCode: z.optional(z.string()),
  codeInLinkMail: z.optional(z.literal(true)),
  resendAtMs: z.number(),
  projectId: z.string(),
  expiresAtMs: z.number(),
})

type Pending = z.infer<typeof pending>

/** The email login that a page has begun. */
export type PendingLogin = {
  /** Stores a new login for 30 minutes, in place of the previous login. */
  begin(login: EmailLogin): Promise<EmailLogin>
  /** Stores changes of the login. */
  update(changes: Partial<EmailLogin>): Promise<void>
  /** Throws LOGIN_ENDED if no login is pending. */
  read(): Promise<EmailLogin>
  end(): Promise<void>
}

/**
 * Keeps the login of the page at `origin` in the frame's storage: a phone may unload the page while
 * the user reads the email. Other origins and projects never get it.
 */
export function openPendingLogin(
  store: KeyStore,
  { projectId, origin }: { projectId: string; origin: string },
): PendingLogin {
  const key = `login ${origin}`
  /** The login of this page, even if another tab has stored a different login. */
  let own: Pending | undefined
  const find = async () => {
    const found = z.safeParse(pending, await store.get(key))
    const isOurs = found.success && found.data.projectId === projectId
    return isOurs && found.data.expiresAtMs > Date.now() ? found.data : undefined
  }
  const isKept = async () => (await find())?.tx === own?.tx
  const read = async () => {
    own ??= await find()
    if (!own) throw new LatchkeyError('LOGIN_ENDED')
    return own
  }
  return {
    read,
    async begin(login) {
      own = { ...login, projectId, expiresAtMs: Date.now() + lifetimeMs }
      await store.put(key, own)
      return own
    },
    async update(changes) {
      own = { ...(await read()), ...changes }
      if (await isKept()) await store.put(key, own)
    },
    async end() {
      if (await isKept()) await store.delete(key)
      own = undefined
    },
  }
}
