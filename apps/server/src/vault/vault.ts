import type { Kysely } from 'kysely'
import type { Counter } from 'prom-client'
import type { Auth } from '../auth/auth.ts'
import type { Database } from '../db/database.ts'
import type { KmsProvider } from './kms/kmsProvider.ts'
import type { RecoveryBreaker } from './recoveryBreaker.ts'

/** The services of the vault: the login's services, the server's keys, and the vault's limits. */
export type Vault = Auth & {
  readonly kms: KmsProvider
  readonly breaker: RecoveryBreaker
  /** Counts requests that a limit refused. */
  readonly refusals: Counter<'limit'>
}

/** A database, or a transaction in it. */
export type Db = Kysely<Database>

/**
 * The realm of a user's first wallet, and of things that belong to the user and not to one wallet.
 * A user has one wallet in a realm.
 */
export const mainRealm = 'main'

/** A change that is not committed within this time is dropped. */
export const pendingMs = 15 * 60_000

export const fromBase64Url = (text: string): Buffer => Buffer.from(text, 'base64url')
export const toBase64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
