import { LatchkeyError, type StepUpAction } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Auth } from '../auth.ts'
import type { Session } from './session.ts'

/** How long a code is valid for the action that its mail named. */
export const stepUpMs = 5 * 60_000

/** Throws `STEP_UP_NEEDED` unless a code for exactly this action was entered in this session within the last five minutes. */
export async function requireStepUp(
  auth: Pick<Auth, 'db' | 'clock'>,
  session: Session,
  action: StepUpAction,
): Promise<void> {
  const untilMs = await readStepUp(auth, session, action)
  if (untilMs === undefined) throw new LatchkeyError('STEP_UP_NEEDED')
}

/** When a session's code for an action expires. Undefined if there is no valid one. */
export async function readStepUp(
  { db, clock }: Pick<Auth, 'db' | 'clock'>,
  session: Pick<Session, 'id'>,
  action: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('step_ups')
    .select('expires_at')
    .where('session_id', '=', session.id)
    .where('action', '=', action)
    .where('expires_at', '>', new Date(clock()))
    .executeTakeFirst()
  return row?.expires_at.getTime()
}

type Allowing = { readonly sessionId: string; readonly action: string; readonly nowMs: number }

/** Allows a session the action of the code that was entered. */
export async function allowAction(
  trx: Kysely<Database>,
  { sessionId, action, nowMs }: Allowing,
): Promise<void> {
  const expires_at = new Date(nowMs + stepUpMs)
  await trx
    .insertInto('step_ups')
    .values({ session_id: sessionId, action, expires_at })
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'action']).doUpdateSet({ expires_at }),
    )
    .execute()
}
