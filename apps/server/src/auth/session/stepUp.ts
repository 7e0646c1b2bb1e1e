import { LatchkeyError, type StepUpAction } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'
import { needsPasskey } from '../passkeys/passkeys.ts'
import { needsOlderSignIn } from '../social/identityOwner.ts'
import type { StoredLogin } from './session.ts'

/** How long a code is valid for the action that its mail named. */
export const stepUpMs = 5 * 60_000

/**
 * Throws `STEP_UP_NEEDED` unless exactly this action was confirmed in this session within the last
 * five minutes: with a passkey if the user has one, else with a code. An action that removes the
 * address, or a sign-in from before it, must be confirmed with something older than the address.
 */
export async function requireStepUp(
  auth: Pick<Auth, 'db' | 'clock'>,
  session: StoredLogin,
  action: StepUpAction,
): Promise<void> {
  const untilMs = await readStepUp(auth, session, action)
  if (untilMs === undefined) throw new LatchkeyError('STEP_UP_NEEDED')
}

/**
 * Until when a session may do an action. Undefined if it was not confirmed, or in a way that is not
 * enough for it.
 */
export async function readStepUp(
  auth: Pick<Auth, 'db' | 'clock'>,
  { id, userId }: Pick<StoredLogin, 'id' | 'userId'>,
  action: string,
): Promise<number | undefined> {
  const row = await auth.db
    .selectFrom('step_ups')
    .select(['expires_at', 'by_passkey', 'older_until'])
    .where('session_id', '=', id)
    .where('action', '=', action)
    .where('expires_at', '>', new Date(auth.clock()))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const needsOlder = await needsOlderSignIn(auth.db, { userId, action })
  // Checked here too: another process, of an older version, may have stored the confirmation.
  if (needsOlder && (row.older_until?.getTime() ?? 0) <= auth.clock()) return undefined
  const byCode = !row.by_passkey && action !== 'lost passkey'
  if (byCode && (await needsPasskey(auth, userId, needsOlder ? 'old' : 'all'))) return undefined
  return row.expires_at.getTime()
}

type Allowing = {
  readonly sessionId: string
  readonly action: string
  /** Whether a passkey confirmed it, not a code or a sign-in at a provider. */
  readonly byPasskey?: boolean
  /**
   * Whether it was confirmed by a sign-in from before the address, or by a passkey that is old
   * enough.
   */
  readonly isOlder?: boolean
  readonly nowMs: number
}

/** Allows a session the action that was confirmed. */
export async function allowAction(
  trx: Kysely<Database>,
  { sessionId, action, byPasskey = false, isOlder = false, nowMs }: Allowing,
): Promise<void> {
  const expires_at = new Date(nowMs + stepUpMs)
  const way = { by_passkey: byPasskey, older_until: isOlder ? expires_at : null, expires_at }
  await trx
    .insertInto('step_ups')
    .values({ session_id: sessionId, action, ...way })
    .onConflict((conflict) => conflict.columns(['session_id', 'action']).doUpdateSet(way))
    .execute()
}
