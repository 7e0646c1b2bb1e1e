import { LatchkeyError } from '@latchkey/wire'
import type { Kysely } from 'kysely'
import { type Address, hexToBytes } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Database } from '../db/database.ts'
import { gcmOpen, gcmSeal } from '../vault/keys/gcm.ts'
import type { DerivedSession } from './deriveSession.ts'
import {
  type Account,
  type SmartSession,
  type SmartSessionsDeps,
  toSmartSession,
} from './session.ts'
import { sessionContext } from './sessionKeys.ts'
import { sweepRoots } from './sessionRoots.ts'

/** How long a session that an earlier version of this server stored may wait for the chain. */
const pendingMs = 3_600_000
const maxListed = 255

/**
 * The account that has permitted a session, found by the address of the session's key (in lower
 * case). Undefined if no session has this address.
 */
export async function findSessionOwner(
  db: Kysely<Database>,
  delegate: Address,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('permission_sessions')
    .select('account')
    .where('delegate', '=', delegate)
    .executeTakeFirst()
  return row?.account
}

const aad = (pci: string) => Buffer.from(JSON.stringify(['session key', pci]))

/** Encrypts the server's key of a session for storage. */
export async function sealKey(
  { kms }: Pick<SmartSessionsDeps, 'kms'>,
  { pci, secret }: DerivedSession,
): Promise<{ readonly key_wrapped: Uint8Array; readonly key_sealed: Uint8Array }> {
  const { plaintext, wrapped } = await kms.generateDataKey(sessionContext(pci))
  const sealed = gcmSeal(plaintext, hexToBytes(secret), aad(pci))
  return { key_wrapped: wrapped, key_sealed: sealed }
}

/** Decrypts the server's key of a session. */
export async function openKey(
  { kms }: Pick<SmartSessionsDeps, 'kms'>,
  { row }: Pick<SmartSession, 'row'>,
): Promise<PrivateKeyAccount> {
  const key = await kms.unwrap(row.key_wrapped, sessionContext(row.pci))
  const secret = gcmOpen(key, row.key_sealed, aad(row.pci))
  return privateKeyToAccount(`0x${secret.toString('hex')}`)
}

/**
 * The session of an account. Throws VAULT_NOT_FOUND, also if the session belongs to another
 * account.
 */
export async function findSmartSession(
  { db }: Pick<SmartSessionsDeps, 'db'>,
  { account, pci }: { readonly account: Account; readonly pci: string },
): Promise<SmartSession> {
  const row = await db
    .selectFrom('permission_sessions')
    .selectAll()
    .where('pci', '=', pci)
    .where('account', '=', account.address)
    .where('chain_id', '=', account.chainId)
    .executeTakeFirst()
  if (row === undefined) throw new LatchkeyError('VAULT_NOT_FOUND')
  return toSmartSession(row)
}

/** The sessions of an account that the chain has had, the newest first. */
export async function readSessions(
  { db }: SmartSessionsDeps,
  { account, projectId }: { readonly account: Account; readonly projectId: string },
): Promise<SmartSession[]> {
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
  return rows.map(toSmartSession)
}

/** Revokes a session: from now on the server signs nothing for it. */
export async function revoke(
  deps: SmartSessionsDeps,
  { row, account }: SmartSession,
): Promise<void> {
  const { numUpdatedRows } = await deps.db
    .updateTable('permission_sessions')
    .set({ revoked_at: new Date(deps.clock()) })
    .where('pci', '=', row.pci)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await deps.audit({
    subject: account.address,
    action: 'session revoked',
    detail: { pci: row.pci, chainId: account.chainId },
  })
}

/** Deletes sessions that the chain never had, and the secrets of earlier days. */
export async function sweepSessions(deps: Pick<SmartSessionsDeps, 'db' | 'clock'>): Promise<void> {
  await deps.db
    .deleteFrom('permission_sessions')
    .where('activated_at', 'is', null)
    .where('created_at', '<', new Date(deps.clock() - pendingMs))
    .execute()
  await sweepRoots(deps)
}
