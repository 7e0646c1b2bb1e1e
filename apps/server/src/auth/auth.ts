import type { Mailer } from '../mail/mailer.ts'
import type { Services } from '../services.ts'
import type { FairRoom } from '../shares/createFairRoom.ts'
import type { MailLimit } from './email/mailLimit.ts'
import type { AccountLimit } from './passkeys/accountLimit.ts'
import { createWaits } from './waitFor.ts'

/** The services of email login and sessions. */
export type Auth = Pick<Services, 'db' | 'projects' | 'clock' | 'log' | 'config'> & {
  readonly secrets: Secrets
  /** Undefined if no mail can be sent: then email login is off. */
  readonly mailer: Mailer | undefined
  readonly mailLimit: MailLimit
  readonly accountLimit: AccountLimit
  /** The key for the nonces of proofs. All processes of a server share it. */
  readonly nonceKey: Uint8Array
  /** Appends to the log of the vault, which the user can read. Call it last in a transaction. */
  readonly audit: (trx: Services['db'], entry: AuditEntry) => Promise<void>
  /** Requests that wait for something to happen. */
  readonly waits: FairRoom
  /** Aborted when the server stops, so that pending requests answer. */
  readonly stopping: AbortSignal
}

/** An entry of the vault's log: the action, and the user that it concerns. */
type AuditEntry = {
  readonly subject: string
  readonly deviceId: string
  readonly action: string
  readonly detail: Readonly<Record<string, string>>
}

/** Creates the services of the auth area. */
export async function createAuth(services: Omit<Auth, 'nonceKey' | 'waits'>): Promise<Auth> {
  const nonceKey = await services.secrets.mac('proof-nonce', 'key')
  return { ...services, nonceKey, waits: createWaits() }
}

/**
 * Binds a ciphertext to its purpose: it does not decrypt for another one. Never contains an
 * address.
 */
type SealContext = Readonly<Record<string, string>>

/** The keys of the server, wherever they are stored. */
export type Secrets = {
  /** A keyed hash of 32 bytes, different for each purpose. */
  mac(purpose: string, data: string | Uint8Array): Promise<Uint8Array>
  seal(context: SealContext, data: Uint8Array): Promise<Uint8Array>
  /** Throws if `sealed` was changed or belongs to another context. */
  open(context: SealContext, sealed: Uint8Array): Promise<Uint8Array>
}
