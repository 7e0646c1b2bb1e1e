import type { Secrets } from '../../auth/auth.ts'
import { gcmOpen, gcmSeal } from '../keys/gcm.ts'
import type { KmsProvider } from './kmsProvider.ts'

/**
 * Encrypts and looks up email addresses with the KMS key `lookup`. Each context has its own
 * encryption key.
 */
export const lookupSecrets = (kms: KmsProvider): Secrets => {
  const getKey = (context: Readonly<Record<string, string>>) => kms.mac('seal', canonical(context))
  return {
    mac: (purpose, data) => kms.mac(`auth ${purpose}`, data),
    seal: async (context, data) => gcmSeal(await getKey(context), data, canonical(context)),
    open: async (context, sealed) => gcmOpen(await getKey(context), sealed, canonical(context)),
  }
}

const canonical = (context: Readonly<Record<string, string>>) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))))
