import {
  type confirmSocialRoute,
  LatchkeyError,
  type openSocialRoute,
  socialProvider,
} from '@latchkey/wire'
import type * as z from 'zod/mini'
import type { Auth } from '../auth.ts'
import type { ProvenCall, RouteCall } from '../mount.ts'
import { createToken, hashToken } from '../session/tokens.ts'

type Opened = { readonly cookie: string; readonly result: z.infer<typeof openSocialRoute.result> }

/**
 * The window of a login reports, once. Its cookie binds all that follows to this browser; only the
 * frame that owns the login can confirm the challenge. So an attacker who makes another person open
 * the attacker's login gets nothing. The page that anyone can open begins only plain sign-ins,
 * because it can be made to give its challenge to the page that opened it. Throws `LOGIN_ENDED`.
 */
export async function openSocial(
  auth: Auth,
  { body }: RouteCall<typeof openSocialRoute>,
): Promise<Opened> {
  const challenge = createToken()
  const cookie = createToken()
  const login = await auth.db
    .updateTable('social_logins')
    .set({ challenge_hash: hashToken(challenge), cookie_hash: hashToken(cookie) })
    .where('hash', '=', hashToken(body.tx))
    .where('cookie_hash', 'is', null)
    .where('provider', '!=', 'farcaster')
    .where('expires_at', '>', new Date(auth.clock()))
    .$if(body.page === 'social', (plain) =>
      plain.where('purpose', '=', 'login').where('action', 'is', null),
    )
    .returning(['provider', 'origin'])
    .executeTakeFirst()
  if (login === undefined) throw new LatchkeyError('LOGIN_ENDED')
  const provider = socialProvider.parse(login.provider)
  return { cookie, result: { challenge, provider, origin: login.origin } }
}

/**
 * The frame that owns the login has met its window, or its page has come back with the challenge.
 * Throws `LOGIN_ENDED` for any other frame, and for another challenge.
 */
export async function confirmSocial(
  auth: Auth,
  { body, jkt }: ProvenCall<typeof confirmSocialRoute>,
): Promise<z.infer<typeof confirmSocialRoute.result>> {
  const now = new Date(auth.clock())
  const confirmed = await auth.db
    .updateTable('social_logins')
    .set({ confirmed_at: now })
    .where('hash', '=', hashToken(body.tx))
    .where('jkt', '=', jkt)
    .where('challenge_hash', '=', hashToken(body.challenge))
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (confirmed.numUpdatedRows !== 1n) throw new LatchkeyError('LOGIN_ENDED')
  return {}
}
