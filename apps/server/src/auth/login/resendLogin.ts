import { LatchkeyError, type resendLoginRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { Auth } from '../auth.ts'
import { reserveMail } from '../email/reserveMail.ts'
import type { ProvenCall } from '../mount.ts'
import { findLogin, mailCode, mailLink } from './login.ts'

/** Mails a new link for a login, or a new code once the browser is approved. */
export async function resendLogin(
  auth: Auth,
  { body, jkt, address, session }: ProvenCall<typeof resendLoginRoute>,
): Promise<z.infer<typeof resendLoginRoute.result>> {
  const login = await findLogin(auth, { tx: body.tx, jkt })
  if (login.session_id !== null && login.session_id !== session?.id)
    throw new LatchkeyError('LOGIN_ENDED')
  const reservation = await reserveMail(auth, { mailboxes: [login.email_index], jkt, address })
  await reservation.send(() =>
    login.approved_at === null ? mailLink(auth, login) : mailCode(auth, login),
  )
  return { resendSeconds: auth.config.mailCooldownSeconds }
}
