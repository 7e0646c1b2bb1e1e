import type { Mailer } from '../mail/mailer.ts'
import type { Services } from '../services.ts'
import type { Secrets } from './secrets.ts'

/** What e-mail login and sessions work with. */
export type Auth = Pick<Services, 'db' | 'projects' | 'kv' | 'clock' | 'log' | 'config'> & {
  readonly secrets: Secrets
  /** Undefined where no mail can be sent: then there is no e-mail login. */
  readonly mailer: Mailer | undefined
  /** Of the nonces of proofs; the same in all processes of a server. */
  readonly nonceKey: Uint8Array
  /** Aborted when the server stops: whoever waits answers then. */
  readonly stopping: AbortSignal
}

/** Opens what the auth area needs. */
export async function createAuth(services: Omit<Auth, 'nonceKey'>): Promise<Auth> {
  return { ...services, nonceKey: await services.secrets.mac('proof-nonce', 'key') }
}
