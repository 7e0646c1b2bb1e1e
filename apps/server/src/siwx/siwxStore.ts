import { createHash, randomBytes } from 'node:crypto'
import type { SiwxServerSession } from '@latchkey/wire'
import type { SiwxMessage } from '@latchkey/wire/siwx'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { SiwxTables } from './tables.ts'

/** The store of nonces and sessions. */
export type SiwxStore = { readonly db: Kysely<Database>; readonly clock: () => number }

/** The requesting page: its project and its origin. */
export type SiwxPage = { readonly projectId: string; readonly origin: string }

export type StoredSiwxSession = Selectable<SiwxTables['siwx_sessions']>

const nonceMs = 10 * 60_000
/** How long a session lasts, unless the message has an earlier end. */
const sessionMs = 7 * 24 * 3_600_000
/** How many sessions an account keeps in a project; the oldest is deleted. */
const maxSessions = 20

/** Creates a nonce for one sign-in on this page. */
export async function createSignInNonce(
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

/** A message, and the page that it came from. */
export type SignedPage = { readonly message: SiwxMessage; readonly page: SiwxPage }

/**
 * Whether a nonce is valid for this message: issued to its page, neither used nor expired, and not
 * reserved for another account.
 */
const isGoodNonce = ({ clock }: SiwxStore, { message, page }: SignedPage) =>
  sql<boolean>`nonce = ${message.nonce} and project_id = ${page.projectId} and origin = ${page.origin}
    and expires_at > ${new Date(clock())} and (account is null or account = ${getSigner(message)})`

/**
 * Reserves a nonce of this page for the account in the message; false if the nonce is not valid.
 */
export async function bindNonce(store: SiwxStore, signed: SignedPage): Promise<boolean> {
  const bound = await store.db
    .updateTable('siwx_nonces')
    .set({ account: getSigner(signed.message) })
    .where(isGoodNonce(store, signed))
    .returning('nonce')
    .execute()
  return bound.length > 0
}

/** Why a nonce is not valid: `unknown` also if it was used. */
export async function findNonceFault(
  { db, clock }: SiwxStore,
  { message, page }: SignedPage,
): Promise<'unknown' | 'elsewhere' | 'expired' | 'taken'> {
  const row = await db
    .selectFrom('siwx_nonces')
    .selectAll()
    .where('nonce', '=', message.nonce)
    .executeTakeFirst()
  if (row === undefined) return 'unknown'
  if (row.project_id !== page.projectId || row.origin !== page.origin) return 'elsewhere'
  return row.expires_at.getTime() <= clock() ? 'expired' : 'taken'
}

/**
 * Uses the nonce and opens a session, in one statement; undefined if the nonce is not valid, for
 * example because another request has used it in the meantime.
 */
export async function openSiwxSession(
  store: SiwxStore,
  {
    keep,
    byKey,
    ...signed
  }: SignedPage & {
    readonly keep: 'token' | 'cookie'
    /**
     * Whether the account's key signed, and not a contract, whose address is valid on only one
     * network.
     */
    readonly byKey: boolean
  },
): Promise<{ readonly session: StoredSiwxSession; readonly token: string } | undefined> {
  const nowMs = store.clock()
  const { message, page } = signed
  const { chainId, accountAddress, expirationTime } = message
  const end = expirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTime)
  const token = randomBytes(32).toString('base64url')
  const signer = getSigner(message)
  const session: StoredSiwxSession = {
    id: randomBytes(12).toString('base64url'),
    secret_hash: hash(token),
    project_id: page.projectId,
    origin: page.origin,
    account: byKey ? signer.replace(/:[^:]+:/, ':') : signer,
    chain_id: chainId,
    address: accountAddress,
    csrf: keep === 'cookie' ? randomBytes(16).toString('base64url') : null,
    created_at: new Date(nowMs),
    expires_at: new Date(Math.min(end, nowMs + sessionMs)),
  }
  // The new session is not yet among the sessions that may be deleted as the oldest.
  const columns = sql.join(Object.keys(session).map((name) => sql.ref(name)))
  const { rows } = await sql`
    with used as (delete from siwx_nonces where ${isGoodNonce(store, signed)} returning nonce),
    opened as (
      insert into siwx_sessions (${columns}) select ${sql.join(Object.values(session))} from used returning id
    ),
    removed as (
      delete from siwx_sessions where exists (select from used) and id in (
        select id from siwx_sessions where project_id = ${session.project_id} and account = ${session.account}
        order by created_at desc, id offset ${maxSessions - 1}
      )
    )
    select id from opened`.execute(store.db)
  return rows.length > 0 ? { session, token } : undefined
}

/** The session of a token in a project. */
export const findSiwxSession = (
  { db, clock }: SiwxStore,
  { token, projectId }: { readonly token: string; readonly projectId: string },
): Promise<StoredSiwxSession | undefined> =>
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
  { project_id, account }: StoredSiwxSession,
): Promise<StoredSiwxSession[]> =>
  db
    .selectFrom('siwx_sessions')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('account', '=', account)
    .where('expires_at', '>', new Date(clock()))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()

/** Ends a session of the same account; false if the account has no session with this id. */
export async function endSiwxSession(
  { db }: SiwxStore,
  { project_id, account }: StoredSiwxSession,
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

/** Deletes expired nonces and sessions. */
export async function sweepSiwx({ db, clock }: SiwxStore): Promise<void> {
  const now = new Date(clock())
  await db.deleteFrom('siwx_nonces').where('expires_at', '<=', now).execute()
  await db.deleteFrom('siwx_sessions').where('expires_at', '<=', now).execute()
}

/** A session in the format of the API. */
export const toSiwxSession = (row: StoredSiwxSession): SiwxServerSession => ({
  id: row.id,
  chainId: row.chain_id,
  accountAddress: row.address,
  origin: row.origin,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
})

const hash = (token: string) => createHash('sha256').update(token).digest()

/** CAIP-10, in normalized form. */
const getSigner = ({ chainId, accountAddress }: SiwxMessage): string =>
  `${chainId}:${chainId.startsWith('eip155:') ? accountAddress.toLowerCase() : accountAddress}`
