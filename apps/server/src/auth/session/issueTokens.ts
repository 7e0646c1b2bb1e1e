import type { LoginTokens } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import { absoluteMs, accessMs, idleMs } from './session.ts'
import { createToken, hashToken } from './tokens.ts'

const recoveryMs = 10 * 60_000

/** Issues a new pair of tokens for a session. They are stored as hashes. */
export async function issueTokenPair(
  trx: Kysely<Database>,
  { sessionId, nowMs }: { readonly sessionId: string; readonly nowMs: number },
): Promise<Pick<LoginTokens, 'accessToken' | 'expiresInSeconds' | 'refreshToken'>> {
  const accessToken = createToken()
  const refreshToken = createToken()
  const base = { session_id: sessionId, used_at: null }
  const access = { kind: 'access' as const, expires_at: new Date(nowMs + accessMs) }
  const refresh = { kind: 'refresh' as const, expires_at: new Date(nowMs + idleMs) }
  await trx
    .insertInto('session_tokens')
    .values([
      { ...base, ...access, hash: hashToken(accessToken) },
      { ...base, ...refresh, hash: hashToken(refreshToken) },
    ])
    .execute()
  return { accessToken, refreshToken, expiresInSeconds: accessMs / 1000 }
}

/** Begins a session after a code was entered. */
export const createSession = (parameters: {
  readonly id: string
  readonly userId: string
  readonly deviceId: string
  readonly nowMs: number
}) => ({
  id: parameters.id,
  user_id: parameters.userId,
  device_id: parameters.deviceId,
  created_at: new Date(parameters.nowMs),
  used_at: new Date(parameters.nowMs),
  ends_at: new Date(parameters.nowMs + absoluteMs),
  ended_at: null,
  recovery_until: null,
})

/**
 * Renews a session after the user confirmed an action in it. Earlier access tokens become invalid.
 * Earlier refresh tokens count as used now: they work until a newer refresh token is used, because
 * the response with the newer token can get lost.
 */
export async function renewSession(
  trx: Kysely<Database>,
  parameters: {
    readonly sessionId: string
    readonly purpose: 'step-up' | 'recovery'
    readonly nowMs: number
  },
): Promise<void> {
  const { sessionId, purpose, nowMs } = parameters
  await trx
    .updateTable('sessions')
    .set({
      used_at: new Date(nowMs),
      ...(purpose === 'recovery' && { recovery_until: new Date(nowMs + recoveryMs) }),
    })
    .where('id', '=', sessionId)
    .execute()
  await trx
    .deleteFrom('session_tokens')
    .where('session_id', '=', sessionId)
    .where('kind', '=', 'access')
    .execute()
  await trx
    .updateTable('session_tokens')
    .set({ used_at: new Date(nowMs) })
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .execute()
}
