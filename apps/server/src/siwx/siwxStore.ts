import { createHash, randomBytes } from 'node:crypto'
import type { SiwxServerSession } from '@latchkey/wire'
import type { SiwxMessage } from '@latchkey/wire/siwx'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { SiwxTables } from './tables.ts'

/** Where nonces and sessions are kept. */
export type SiwxStore = { readonly db: Kysely<Database>; readonly clock: () => number }

/** The page that asks: its project and its origin. */
export type SiwxPage = { readonly projectId: string; readonly origin: string }

export type StoredSession = Selectable<SiwxTables['siwx_sessions']>

const nonceMs = 10 * 60_000
/** How long a session lasts, unless the message says an earlier end. */
const sessionMs = 7 * 24 * 3_600_000
/** Sessions that an account keeps in a project; the oldest goes. */
const maxSessions = 20

/** A nonce for one sign-in on this page. */
export async function createNonce(
  { db, clock }: SiwxStore,
  { projectId, origin }: SiwxPage,
): Promise<{ readonly nonce: string; readonly issuedAt: string; readonly expiresAt: string }> {
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(clock() + nonceMs)
  await db
    .insertInto('siwx_nonces')
    .values({ nonce, project_id: projectId, origin, expires_at: expiresAt })
    .execute()
  const issuedAt = new Date(expiresAt.getTime() - nonceMs).toISOString()
  return { nonce, issuedAt, expiresAt: expiresAt.toISOString() }
}

/** Reserves a nonce of this page for the account that came with it. Says why it is not good: `unknown` also if it was used. */
export async function bindNonce(
  { db, clock }: SiwxStore,
  { message, page }: { readonly message: SiwxMessage; readonly page: SiwxPage },
): Promise<'bound' | 'unknown' | 'expired' | 'elsewhere' | 'taken'> {
  const row = await db
    .selectFrom('siwx_nonces')
    .selectAll()
    .where('nonce', '=', message.nonce)
    .executeTakeFirst()
  if (row === undefined) return 'unknown'
  if (row.project_id !== page.projectId || row.origin !== page.origin) return 'elsewhere'
  if (row.expires_at.getTime() <= clock()) return 'expired'
  const account = getSigner(message)
  const bound = await db
    .updateTable('siwx_nonces')
    .set({ account })
    .where('nonce', '=', message.nonce)
    .where(({ or, eb }) => or([eb('account', 'is', null), eb('account', '=', account)]))
    .returning('nonce')
    .execute()
  return bound.length > 0 ? 'bound' : 'taken'
}

/** Uses the nonce and opens a session, or returns undefined if another request has used it meanwhile. */
export async function openSession(
  { db, clock }: SiwxStore,
  {
    message,
    page,
    keep,
    byKey,
  }: {
    readonly message: SiwxMessage
    readonly page: SiwxPage
    readonly keep: 'token' | 'cookie'
    /** Whether the account's key signed, and not a contract, which has its address on one network alone. */
    readonly byKey: boolean
  },
): Promise<{ readonly session: StoredSession; readonly token: string } | undefined> {
  const nowMs = clock()
  const { chainId, accountAddress, expirationTime, nonce } = message
  const end = expirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTime)
  const token = randomBytes(32).toString('base64url')
  const signer = getSigner(message)
  const account = byKey ? signer.replace(/:[^:]+:/, ':') : signer
  return db.transaction().execute(async (trx) => {
    const used = await trx
      .deleteFrom('siwx_nonces')
      .where('nonce', '=', nonce)
      .where('account', '=', signer)
      .returning('nonce')
      .execute()
    if (used.length === 0) return undefined
    const session = await trx
      .insertInto('siwx_sessions')
      .values({
        id: randomBytes(12).toString('base64url'),
        secret_hash: hash(token),
        project_id: page.projectId,
        origin: page.origin,
        account,
        chain_id: chainId,
        address: accountAddress,
        csrf: keep === 'cookie' ? randomBytes(16).toString('base64url') : null,
        created_at: new Date(nowMs),
        expires_at: new Date(Math.min(end, nowMs + sessionMs)),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await sql`delete from siwx_sessions where id in (
      select id from siwx_sessions where project_id = ${page.projectId} and account = ${account}
      order by created_at desc, id offset ${maxSessions})`.execute(trx)
    return { session, token }
  })
}

/** The session of a token in a project. */
export const findSession = (
  { db, clock }: SiwxStore,
  { token, projectId }: { readonly token: string; readonly projectId: string },
): Promise<StoredSession | undefined> =>
  db
    .selectFrom('siwx_sessions')
    .selectAll()
    .where('secret_hash', '=', hash(token))
    .where('project_id', '=', projectId)
    .where('expires_at', '>', new Date(clock()))
    .executeTakeFirst()

/** The sessions of the same account, the newest first. */
export const listSessions = (
  { db, clock }: SiwxStore,
  { project_id, account }: StoredSession,
): Promise<StoredSession[]> =>
  db
    .selectFrom('siwx_sessions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('account', '=', account)
    .where('expires_at', '>', new Date(clock()))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Ends a session of the same account; false if there is none with this id. */
export async function endSession(
  { db }: SiwxStore,
  { project_id, account }: StoredSession,
  id: string,
): Promise<boolean> {
  const ended = await db
    .deleteFrom('siwx_sessions')
    .where('id', '=', id)
    .where('project_id', '=', project_id)
    .where('account', '=', account)
    .returning('id')
    .execute()
  return ended.length > 0
}

/** Deletes what is too old. */
export async function sweepSiwx({ db, clock }: SiwxStore): Promise<void> {
  const now = new Date(clock())
  await db.deleteFrom('siwx_nonces').where('expires_at', '<=', now).execute()
  await db.deleteFrom('siwx_sessions').where('expires_at', '<=', now).execute()
}

/** A session as the API shows it. */
export const toSession = (row: StoredSession): SiwxServerSession => ({
  id: row.id,
  chainId: row.chain_id,
  accountAddress: row.address,
  origin: row.origin,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})

const hash = (token: string) => createHash('sha256').update(token).digest()

/** CAIP-10, in the form in which accounts are compared. */
const getSigner = ({ chainId, accountAddress }: SiwxMessage): string =>
  `${chainId}:${chainId.startsWith('eip155:') ? accountAddress.toLowerCase() : accountAddress}`
