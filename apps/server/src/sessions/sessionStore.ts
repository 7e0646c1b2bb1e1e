import { randomUUID } from 'node:crypto'
import { LatchkeyError } from '@latchkey/wire'
import { maxSessionSeconds, type PermissionGrant } from '@latchkey/wire/permissions'
import { type Kysely, sql } from 'kysely'
import { type Address, type Hex, hexToBytes } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Database } from '../db/database.ts'
import { gcmOpen, gcmSeal } from '../vault/keys/gcm.ts'
import { readGranted } from './readGrants.ts'
import { type Account, type Session, type Sessions, toParts, toSession } from './session.ts'

const pendingMs = 3_600_000
/** What a new session costs of the client's limit: it is kept for an hour, whatever account it names. */
export const openingCost = 10
/** As many as one account may have waiting, and may have at all. */
const maxPending = 50
const maxListed = 255

/**
 * Makes a session that waits for the chain, with a key of the server. Throws SIGNING_REFUSED for permissions that cannot be
 * enforced or that do not end, RATE_LIMITED.
 */
export async function openSession(
  sessions: Sessions,
  {
    account,
    grant,
    page,
  }: {
    readonly account: Account
    readonly grant: PermissionGrant
    readonly page: { readonly projectId: string; readonly origin: string | null }
  },
): Promise<{ readonly pci: string; readonly publicKey: Hex; readonly delegate: string }> {
  const { db, clock, kms } = sessions
  const now = Math.floor(clock() / 1_000)
  const refuse = (reason: string) => new LatchkeyError('SIGNING_REFUSED', { data: { reason } })
  if (grant.expiry <= now) throw refuse('it has ended already')
  if (grant.expiry > now + maxSessionSeconds) throw refuse('it would last for more than a year')
  if (grant.signer.data.keys.length !== 1) throw refuse('it names more than one key')
  const pci = randomUUID()
  const secret = generatePrivateKey()
  const { publicKey, address } = privateKeyToAccount(secret)
  const delegate = address.toLowerCase()
  toParts(grant, { account, delegate, pci })
  await assertRoom(db, account)
  const { plaintext, wrapped } = await kms.generateDataKey(kmsContext(pci))
  await db.transaction().execute(async (trx) => {
    // One at a time for each account, so that two requests cannot both be the last that fits.
    const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`session ${account.address}`}, 0))`
    await lock.execute(trx)
    await assertRoom(trx, account)
    await trx
      .insertInto('permission_sessions')
      .values({
        pci,
        project_id: page.projectId,
        origin: page.origin,
        chain_id: account.chainId,
        account: account.address,
        expiry: grant.expiry,
        signer: JSON.stringify(grant.signer),
        permissions: JSON.stringify(grant.permissions),
        delegate,
        key_wrapped: wrapped,
        key_sealed: gcmSeal(plaintext, hexToBytes(secret), aad(pci)),
        created_at: new Date(clock()),
        activated_at: null,
        granted_block: null,
        revoked_at: null,
      })
      .execute()
  })
  return { pci, publicKey, delegate }
}

/** Throws RATE_LIMITED where as many sessions of the account wait as may. */
async function assertRoom(db: Kysely<Database>, { address }: Account): Promise<void> {
  const waiting = await db
    .selectFrom('permission_sessions')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account', '=', address)
    .where('activated_at', 'is', null)
    .executeTakeFirst()
  if (Number(waiting?.count) >= maxPending)
    throw new LatchkeyError('RATE_LIMITED', { data: { seconds: pendingMs / 1_000 } })
}

/** Whether an account (in lower case) is that of a session's key, which this server has. */
export async function isDelegate(db: Kysely<Database>, account: Address): Promise<boolean> {
  const row = await db
    .selectFrom('permission_sessions')
    .select('pci')
    .where('delegate', '=', account)
    .executeTakeFirst()
  return row !== undefined
}

/** The use keeps it apart from all else that this key wraps. */
const kmsContext = (pci: string) => ({ purpose: 'auth-share', use: `session ${pci}` }) as const
const aad = (pci: string) => Buffer.from(JSON.stringify(['session key', pci]))

/** The server's key of a session. */
export async function openKey({ kms }: Sessions, { row }: Session): Promise<PrivateKeyAccount> {
  const key = await kms.unwrap(row.key_wrapped, kmsContext(row.pci))
  const secret = gcmOpen(key, row.key_sealed, aad(row.pci))
  return privateKeyToAccount(`0x${secret.toString('hex')}`)
}

/** The session of an account. Throws VAULT_NOT_FOUND, also for that of another account. */
export async function findSession(
  { db }: Sessions,
  { account, pci }: { readonly account: Account; readonly pci: string },
): Promise<Session> {
  const row = await db
    .selectFrom('permission_sessions')
    .selectAll()
    .where('pci', '=', pci)
    .where('account', '=', account.address)
    .where('chain_id', '=', account.chainId)
    .executeTakeFirst()
  if (row === undefined) throw new LatchkeyError('VAULT_NOT_FOUND')
  return toSession(row)
}

/** The sessions of an account that the chain has had, the newest first. */
export async function readSessions(
  { db }: Sessions,
  { account, projectId }: { readonly account: Account; readonly projectId: string },
): Promise<Session[]> {
  const rows = await db
    .selectFrom('permission_sessions')
    .selectAll()
    .where('account', '=', account.address)
    .where('chain_id', '=', account.chainId)
    .where('activated_at', 'is not', null)
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .limit(maxListed)
    .execute()
  return rows.map(toSession)
}

/** The chain has it: it may be used. Throws SIGNING_REFUSED where the chain lacks a part of it. */
export async function activate(sessions: Sessions, session: Session): Promise<void> {
  const { row, account } = session
  const { isAll, block } = await readGranted(sessions, session)
  if (!isAll)
    throw new LatchkeyError('SIGNING_REFUSED', { data: { reason: 'the chain does not have it' } })
  const { numUpdatedRows } = await sessions.db
    .updateTable('permission_sessions')
    .set({ activated_at: new Date(sessions.clock()), granted_block: block })
    .where('pci', '=', row.pci)
    .where('activated_at', 'is', null)
    .executeTakeFirstOrThrow()
  // Anyone can ask for this again: the log must not grow by that.
  if (numUpdatedRows === 0n) return
  await sessions.audit({
    subject: account.address,
    action: 'session granted',
    detail: { pci: row.pci, chainId: account.chainId },
  })
}

/** From now on the server signs nothing for it. */
export async function revoke(sessions: Sessions, { row, account }: Session): Promise<void> {
  const { numUpdatedRows } = await sessions.db
    .updateTable('permission_sessions')
    .set({ revoked_at: new Date(sessions.clock()) })
    .where('pci', '=', row.pci)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await sessions.audit({
    subject: account.address,
    action: 'session revoked',
    detail: { pci: row.pci, chainId: account.chainId },
  })
}

/** Deletes what the chain never had. */
export async function sweepSessions({ db, clock }: Pick<Sessions, 'db' | 'clock'>): Promise<void> {
  await db
    .deleteFrom('permission_sessions')
    .where('activated_at', 'is', null)
    .where('created_at', '<', new Date(clock() - pendingMs))
    .execute()
}
