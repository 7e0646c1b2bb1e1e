import type { Mailer } from '../mail/mailer.ts'
import type { Services } from '../services.ts'

/** What e-mail login and sessions work with. */
export type Auth = Pick<Services, 'db' | 'projects' | 'kv' | 'clock' | 'log' | 'config'> & {
  readonly secrets: Secrets
  /** Undefined if no mail can be sent: then e-mail login is off. */
  readonly mailer: Mailer | undefined
  /** Of the nonces of proofs; the same in all processes of a server. */
  readonly nonceKey: Uint8Array
  /** Aborted when the server stops, so that pending requests answer. */
  readonly stopping: AbortSignal
}

/** Opens what the auth area needs. */
export async function createAuth(services: Omit<Auth, 'nonceKey'>): Promise<Auth> {
  return { ...services, nonceKey: await services.secrets.mac('proof-nonce', 'key') }
}

/** What a ciphertext belongs to: it opens under no other. Never with an address in it. */
type SealContext = Readonly<Record<string, string>>

/** The keys of the server, wherever they are kept. */
export type Secrets = {
  /** A keyed hash of 32 bytes, another for each purpose. */
  mac(purpose: string, data: string | Uint8Array): Promise<Uint8Array>
  seal(context: SealContext, data: Uint8Array): Promise<Uint8Array>
  /** Throws when `sealed` was changed or sealed under another context. */
  open(context: SealContext, sealed: Uint8Array): Promise<Uint8Array>
}
