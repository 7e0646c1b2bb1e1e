import type { readMe as meRoute, endSession as route } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../db/database.ts'
import type { Auth } from './auth.ts'
import type { SessionCall } from './mount.ts'
import { openEmail } from './sealedEmail.ts'
import { secondsLeft } from './verifyLogin.ts'

/** Signs out this browser, or every browser of the user; at once, whatever tokens are about. */
export async function endSession(
  auth: Auth,
  { body, session }: SessionCall<typeof route>,
): Promise<Record<string, never>> {
  const nowMs = auth.clock()
  const { id, userId, deviceId } = session
  if (body.everywhere) await endSessions(auth.db, { userId, nowMs })
  else
    await auth.db
      .updateTable('sessions')
      .set({ ended_at: new Date(nowMs) })
      .where('id', '=', id)
      .execute()
  if (body.forget) {
    await auth.db.deleteFrom('known_devices').where('device_id', '=', deviceId).execute()
    // It holds the wallet no more, so it delays no recovery either.
    await auth.db.deleteFrom('wallet_slots').where('slot', '=', deviceId).execute()
  }
  return {}
}

/** Ends all sessions of a user but `exceptId`, and has every other browser approved anew. */
export async function endSessions(
  db: Kysely<Database>,
  {
    userId,
    nowMs,
    except,
  }: {
    readonly userId: string
    readonly nowMs: number
    readonly except?: { readonly id: string; readonly deviceId: string }
  },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date(nowMs) })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except?.id ?? ''))
    .execute()
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('device_id', '!=', except?.deviceId ?? ''))
    .execute()
}

/** Whose session it is. */
export async function readMe(
  auth: Auth,
  { session }: SessionCall<typeof meRoute>,
): Promise<z.infer<typeof meRoute.result>> {
  const nowMs = auth.clock()
  return {
    userId: session.userId,
    deviceId: session.deviceId,
    email: await openEmail(auth, session.emailSealed),
    stepUpSeconds: secondsLeft(session.stepUpUntilMs, nowMs),
    undoSeconds: secondsLeft(session.undoUntilMs, nowMs),
  }
}
