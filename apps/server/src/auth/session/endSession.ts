import type { endSessionRoute, readMeRoute } from '@latchkey/wire'
import type { ExpressionBuilder, Kysely } from 'kysely'
import type * as z from 'zod/mini'
import type { Database } from '../../db/database.ts'
import { assertDeviceOwnsWallet } from '../assertDeviceOwnsWallet.ts'
import type { Auth } from '../auth.ts'
import { openOptionalEmail } from '../email/sealedEmail.ts'
import { secondsLeft } from '../login/verifyLogin.ts'
import type { SessionCall } from '../mount.ts'
import { readFirstFactor } from './firstFactor.ts'
import { readStepUp } from './stepUp.ts'

/**
 * Signs out this browser, or every browser of the user, immediately and for all existing tokens. If
 * the user has a wallet, only a device that holds it may sign out every browser. Throws
 * `WALLET_NOT_ENROLLED`.
 */
export async function endSession(
  auth: Auth,
  { body, session }: SessionCall<typeof endSessionRoute>,
): Promise<Record<string, never>> {
  const nowMs = auth.clock()
  const { id, userId, deviceId } = session
  if (body.everywhere) {
    await assertDeviceOwnsWallet(auth.db, session)
    await endSessions(auth.db, { userId, nowMs })
  } else
    await auth.db
      .updateTable('sessions')
      .set({ ended_at: new Date(nowMs) })
      .where('id', '=', id)
      .execute()
  if (body.forget) {
    await auth.db.deleteFrom('known_devices').where('device_id', '=', deviceId).execute()
    // The device no longer holds the wallet, so it must not delay a recovery.
    await auth.db.deleteFrom('wallet_slots').where('slot', '=', deviceId).execute()
  }
  return {}
}

type EndSessionsOptions = {
  readonly userId: string
  readonly nowMs: number
  /**
   * The exception that stays signed in: one session, or the browsers that hold the wallet in use.
   */
  readonly except?: { readonly id: string; readonly deviceId: string } | 'holders'
}

/** Ends the sessions of a user. Their browsers must be approved again. */
export async function endSessions(
  db: Kysely<Database>,
  { userId, nowMs, except }: EndSessionsOptions,
): Promise<void> {
  const session = typeof except === 'object' ? except : undefined
  const holders = db
    .selectFrom('wallet_slots')
    .innerJoin('wallets', 'wallets.id', 'wallet_slots.wallet_id')
    .select('wallet_slots.slot')
    .where('wallets.user_id', '=', userId)
    .where('wallets.place', '=', 'current')
  const holdsNone = (row: ExpressionBuilder<Database, 'sessions' | 'known_devices'>) =>
    row(row.cast<string>('device_id', 'text'), 'not in', holders)
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date(nowMs) })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(session !== undefined, (query) => query.where('id', '!=', session?.id ?? ''))
    .$if(except === 'holders', (query) => query.where(holdsNone))
    .execute()
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .$if(session !== undefined, (query) => query.where('device_id', '!=', session?.deviceId ?? ''))
    .$if(except === 'holders', (query) => query.where(holdsNone))
    .execute()
}

/** Whether an action adds a way of recovery; the first one may need no confirmation. */
const isAddition = (action: string) => /^add (passkey|kit|operator)$/.test(action)

/** The user, device and email address of a session. */
export async function readMe(
  auth: Auth,
  { session, body }: SessionCall<typeof readMeRoute>,
): Promise<z.infer<typeof readMeRoute.result>> {
  const nowMs = auth.clock()
  const { action } = body
  const stepUpUntilMs =
    action === undefined
      ? undefined
      : ((await readStepUp(auth, session, action)) ??
        (isAddition(action) ? await readFirstFactor(auth, session) : undefined))
  return {
    userId: session.userId,
    deviceId: session.deviceId,
    email: await openOptionalEmail(auth, session.email),
    hadNoEmail: session.hadNoEmail,
    stepUpSeconds: secondsLeft(stepUpUntilMs, nowMs),
    undoSeconds: secondsLeft(session.undoUntilMs, nowMs),
  }
}
