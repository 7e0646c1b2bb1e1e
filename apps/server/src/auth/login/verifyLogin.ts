import { randomUUID } from 'node:crypto'
import {
  LatchkeyError,
  type LoginTokens,
  type PassingPage,
  type verifyLoginRoute,
} from '@latchkey/wire'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import { requireTrustedPage } from '../../projects/trustedPages.ts'
import type { Auth } from '../auth.ts'
import { consumeCode } from '../codes/codes.ts'
import { openEmail } from '../email/sealedEmail.ts'
import type { ProvenCall } from '../mount.ts'
import { issueTokenPair, renewSession } from '../session/issueTokens.ts'
import { type SignedIn, signIn } from '../session/signIn.ts'
import { allowAction, stepUpMs } from '../session/stepUp.ts'
import { createToken, hashToken } from '../session/tokens.ts'
import type { Login } from '../tables.ts'
import { findLogin, getLoginCode } from './login.ts'

const knownDeviceMs = 90 * 24 * 3_600_000

/**
 * Exchanges the code of a login for a session, and the code of a step-up or a recovery for a fresh
 * session. The user of a new mailbox is created here, not earlier. Throws `DEVICE_NOT_APPROVED`,
 * `LOGIN_ENDED`, `EMAIL_REPLACED`, `CODE_NOT_TAKEN` and the errors of `consumeCode`.
 */
export async function verifyLogin(
  auth: Auth,
  { body, jkt, session }: ProvenCall<typeof verifyLoginRoute>,
): Promise<LoginTokens> {
  const login = await findLogin(auth, { tx: body.tx, jkt })
  if (login.session_id !== null && login.session_id !== session?.id)
    throw new LatchkeyError('LOGIN_ENDED')
  // A signed-in user may sign in as another user: the current session does not matter then.
  const own = login.session_id === null ? undefined : session
  if (login.approved_at === null) throw new LatchkeyError('DEVICE_NOT_APPROVED')
  await requireLoginPage(auth, { login, page: body.page })
  const email = await openEmail(auth, login.email_sealed)
  const nowMs = auth.clock()
  const of = getLoginCode(login)
  const tokens = await consumeCode(auth, { of, code: body.code, jkt }, async (trx) => {
    await finishLogin(trx, { login, nowMs })
    const signed = own
      ? { sessionId: own.id, userId: own.userId, deviceId: own.deviceId }
      : await signIn(trx, { login, userId: await findOrCreateUser(trx, { login, nowMs }), nowMs })
    const { purpose, action } = login
    if (purpose !== 'login')
      await renewSession(trx, { sessionId: signed.sessionId, purpose, nowMs })
    if (action !== null) await allowAction(trx, { sessionId: signed.sessionId, action, nowMs })
    const pair = await issueTokenPair(trx, { sessionId: signed.sessionId, nowMs })
    const { userId, deviceId } = signed
    const stepUpSeconds = action === null ? 0 : stepUpMs / 1000
    const tokens = { ...pair, userId, deviceId, email, stepUpSeconds }
    if (purpose !== 'login') return tokens
    return { ...tokens, knownDevice: await issueKnownDevice(trx, { login, signed, nowMs }) }
  })
  auth.log.info({ purpose: login.purpose }, 'code accepted')
  return tokens
}

/**
 * Throws `CODE_NOT_TAKEN` if a page that is not allowed to has passed on the code: it is not the
 * page of this login, its project does not trust it, or the code does more than sign in.
 */
async function requireLoginPage(
  { db }: Auth,
  { login, page }: { readonly login: Login; readonly page: PassingPage | undefined },
): Promise<void> {
  const { purpose, action, origin, project_id, match_code } = login
  // The browser was approved without digits, which only a trusted page may do. The page must still
  // be trusted when the code arrives.
  if (match_code === '' && purpose === 'login')
    await requireTrustedPage(db, { projectId: project_id, origin })
  if (page === undefined) return
  const isOwn = page.origin === origin && page.projectId === project_id
  if (!isOwn || purpose !== 'login' || action !== null) throw new LatchkeyError('CODE_NOT_TAKEN')
  await requireTrustedPage(db, page)
}

/** Whole seconds until a moment, or 0 if it has passed. */
export const secondsLeft = (untilMs: number | undefined, nowMs: number): number =>
  Math.max(0, Math.ceil(((untilMs ?? 0) - nowMs) / 1000))

type At = { readonly login: Login; readonly nowMs: number }

async function finishLogin(trx: Kysely<Database>, { login, nowMs }: At): Promise<void> {
  const finished = await trx
    .updateTable('logins')
    .set({ finished_at: new Date(nowMs) })
    .where('hash', '=', login.hash)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  if (finished.numUpdatedRows !== 1n) throw new LatchkeyError('LOGIN_ENDED')
}

/** The user of a mailbox. Created here if the mailbox is free and no undo link can reclaim it. */
async function findOrCreateUser(trx: Kysely<Database>, { login, nowMs }: At): Promise<string> {
  const now = new Date(nowMs)
  const inserted = await trx
    .insertInto('users')
    .values({
      id: randomUUID(),
      email_index: login.email_index,
      email_sealed: login.email_sealed,
      created_at: now,
      undo_until: null,
    })
    .onConflict((conflict) => conflict.column('email_index').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) {
    // The lock waits for a concurrent change of email, which may free the address.
    const user = await trx
      .selectFrom('users')
      .select('id')
      .where('email_index', '=', login.email_index)
      .forUpdate()
      .executeTakeFirst()
    if (user === undefined) throw new LatchkeyError('LOGIN_ENDED')
    return user.id
  }
  // Query this after inserting the row: by then the change that freed the address has finished.
  const replaced = await trx
    .selectFrom('email_undos')
    .select('user_id')
    .where('old_index', '=', login.email_index)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (replaced !== undefined) throw new LatchkeyError('EMAIL_REPLACED')
  return inserted.id
}

/**
 * Issues a new known-device token. The login's token and earlier tokens of the device become
 * invalid.
 */
async function issueKnownDevice(
  trx: Kysely<Database>,
  { login, signed, nowMs }: At & { readonly signed: SignedIn },
): Promise<string> {
  const token = createToken()
  await trx
    .deleteFrom('known_devices')
    .where((row) =>
      row.or([
        row.and([
          row('device_id', '=', signed.deviceId),
          row('origin', '=', login.origin),
          row('project_id', '=', login.project_id),
        ]),
        ...(login.known_hash ? [row('hash', '=', login.known_hash)] : []),
      ]),
    )
    .execute()
  await trx
    .insertInto('known_devices')
    .values({
      hash: hashToken(token),
      user_id: signed.userId,
      device_id: signed.deviceId,
      origin: login.origin,
      project_id: login.project_id,
      expires_at: new Date(nowMs + knownDeviceMs),
    })
    .execute()
  return token
}
