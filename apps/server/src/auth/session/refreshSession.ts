import { LatchkeyError, type LoginTokens, type refreshSessionRoute } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'
import { openOptionalEmail, toSealedEmail } from '../email/sealedEmail.ts'
import type { ProvenCall } from '../mount.ts'
import { issueTokenPair } from './issueTokens.ts'
import { liveSessions } from './session.ts'
import { hashToken } from './tokens.ts'

/** How long a second tab may use a token that another tab has just used. */
const graceMs = 10_000

/**
 * Exchanges a refresh token for new tokens. The device may use the token again until it has used a
 * newer one, because a response can get lost. After that, a reused token was stolen or copied, and
 * the whole session ends. Throws `SIGNED_OUT`.
 */
export async function refreshSession(
  auth: Auth,
  { body, jkt }: ProvenCall<typeof refreshSessionRoute>,
): Promise<LoginTokens> {
  const nowMs = auth.clock()
  const hash = hashToken(body.refreshToken)
  const session = await liveSessions(auth)
    .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.id')
    .select('session_tokens.expires_at')
    .where('session_tokens.hash', '=', hash)
    .where('session_tokens.kind', '=', 'refresh')
    .executeTakeFirst()
  if (session === undefined || session.expires_at.getTime() <= nowMs)
    throw new LatchkeyError('SIGNED_OUT')
  const pair = await auth.db.transaction().execute(async (trx) => {
    // The row lock serializes two tabs.
    const token = await trx
      .selectFrom('session_tokens')
      .select(['used_at', 'expires_at'])
      .where('hash', '=', hash)
      .forUpdate()
      .executeTakeFirst()
    if (token === undefined) return undefined
    const usedAgoMs = token.used_at === null ? 0 : Math.abs(nowMs - token.used_at.getTime())
    if (session.jkt !== jkt) return undefined
    if (usedAgoMs > graceMs && (await hasNewerUse(trx, session.id, token.expires_at)))
      return undefined
    const now = new Date(nowMs)
    if (token.used_at === null)
      await trx
        .updateTable('session_tokens')
        .set({ used_at: now })
        .where('hash', '=', hash)
        .execute()
    await trx.updateTable('sessions').set({ used_at: now }).where('id', '=', session.id).execute()
    await trx
      .updateTable('devices')
      .set({ last_seen_at: now })
      .where('id', '=', session.device_id)
      .execute()
    return issueTokenPair(trx, { sessionId: session.id, nowMs })
  })
  if (pair === undefined) {
    await auth.db
      .updateTable('sessions')
      .set({ ended_at: new Date(nowMs) })
      .where('id', '=', session.id)
      .execute()
    auth.log.warn({ reason: session.jkt === jkt ? 'reused' : 'other key' }, 'session revoked')
    throw new LatchkeyError('SIGNED_OUT')
  }
  return {
    ...pair,
    userId: session.user_id,
    deviceId: session.device_id,
    email: await openOptionalEmail(auth, toSealedEmail(session)),
    stepUpSeconds: 0,
  }
}

/**
 * Whether a refresh token of the session that was issued later has been used: then the response
 * that brought it did arrive.
 */
async function hasNewerUse(
  trx: Kysely<Database>,
  sessionId: string,
  expiresAt: Date,
): Promise<boolean> {
  const newer = await trx
    .selectFrom('session_tokens')
    .select('hash')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'refresh')
    .where('expires_at', '>', expiresAt)
    .where('used_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return newer !== undefined
}
