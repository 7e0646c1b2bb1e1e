import { LatchkeyError } from '@latchkey/wire'
import type { Auth } from '../auth.ts'
import { type SealedEmail, toSealedEmail } from '../email/sealedEmail.ts'
import { hashToken } from './tokens.ts'

/** A signed-in user. All ids belong to this user. */
export type StoredLogin = {
  readonly id: string
  readonly userId: string
  readonly deviceId: string
  /** Thumbprint of the device's key. */
  readonly jkt: string
  /** Undefined for a user without an email address. */
  readonly email: SealedEmail | undefined
  /** Whether the account began without an address, and got one later. */
  readonly hadNoEmail: boolean
  /** When a code for recovery by email expires. Undefined if there was none. */
  readonly recoveryUntilMs: number | undefined
  /** Until then the last change of email can be undone, and recovery by email is blocked. */
  readonly undoUntilMs: number | undefined
}

export const idleMs = 7 * 24 * 3_600_000
export const absoluteMs = 30 * 24 * 3_600_000
export const accessMs = 10 * 60_000

/**
 * Finds the session of an access token that was sent with a proof of the device's key. Throws
 * `SIGNED_OUT`.
 */
export async function findLogin(
  auth: Auth,
  { token, jkt }: { readonly token: string; readonly jkt: string },
): Promise<StoredLogin> {
  const now = new Date(auth.clock())
  const row = await liveSessions(auth)
    .innerJoin('session_tokens', 'session_tokens.session_id', 'sessions.id')
    .where('session_tokens.hash', '=', hashToken(token))
    .where('session_tokens.kind', '=', 'access')
    .where('session_tokens.expires_at', '>', now)
    .where('devices.jkt', '=', jkt)
    .executeTakeFirst()
  if (row === undefined) throw new LatchkeyError('SIGNED_OUT')
  const until = (date: Date | null) => (date !== null && date > now ? date.getTime() : undefined)
  return {
    id: row.id,
    userId: row.user_id,
    deviceId: row.device_id,
    jkt: row.jkt,
    email: toSealedEmail(row),
    hadNoEmail: row.email_added_at !== null,
    recoveryUntilMs: until(row.recovery_until),
    undoUntilMs: until(row.undo_until),
  }
}

/**
 * Selects sessions that have not ended: not signed out, idle or too old, and their device is not
 * revoked.
 */
export function liveSessions({ db, clock }: Pick<Auth, 'db' | 'clock'>) {
  const nowMs = clock()
  return db
    .selectFrom('sessions')
    .innerJoin('devices', 'devices.id', 'sessions.device_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.user_id',
      'sessions.device_id',
      'sessions.recovery_until',
      'devices.jkt',
      'users.email_index',
      'users.email_sealed',
      'users.undo_until',
      'users.email_added_at',
    ])
    .where('sessions.ended_at', 'is', null)
    .where('sessions.ends_at', '>', new Date(nowMs))
    .where('sessions.used_at', '>', new Date(nowMs - idleMs))
    .where('devices.revoked_at', 'is', null)
}
