import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Login } from '../tables.ts'
import { createSession } from './issueTokens.ts'

/** A session that has begun, of a user in a browser. */
export type SignedIn = {
  readonly sessionId: string
  readonly userId: string
  readonly deviceId: string
}

type SigningIn = {
  /** The login that the session comes from. */
  readonly login: Pick<Login, 'jkt' | 'browser' | 'origin' | 'project_id'>
  readonly userId: string
  readonly nowMs: number
}

/**
 * Begins a session of a user in the browser of a login. A browser has one session: signing in again
 * ends the previous one.
 */
export async function signIn(
  trx: Kysely<Database>,
  { login, userId, nowMs }: SigningIn,
): Promise<SignedIn> {
  const deviceId = await findOrCreateDevice(trx, { login, nowMs, userId })
  const now = new Date(nowMs)
  await trx
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('device_id', '=', deviceId)
    .where('ended_at', 'is', null)
    .execute()
  const sessionId = randomUUID()
  const session = createSession({ id: sessionId, userId, deviceId, nowMs })
  await trx.insertInto('sessions').values(session).execute()
  return { sessionId, userId, deviceId }
}

async function findOrCreateDevice(
  trx: Kysely<Database>,
  { login, nowMs, userId }: SigningIn,
): Promise<string> {
  const now = new Date(nowMs)
  const device = await trx
    .insertInto('devices')
    .values({
      id: randomUUID(),
      user_id: userId,
      jkt: login.jkt,
      name: login.browser,
      browser: login.browser,
      origin: login.origin,
      project_id: login.project_id,
      created_at: now,
      last_seen_at: now,
      revoked_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'jkt'])
        .where('revoked_at', 'is', null)
        .doUpdateSet({ last_seen_at: now, browser: login.browser }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return device.id
}
