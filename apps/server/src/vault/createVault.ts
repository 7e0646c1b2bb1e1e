import type { Auth } from '../auth/auth.ts'
import type { AlertOperator } from '../mail/operatorMails.ts'
import type { Services } from '../services.ts'
import type { KmsProvider } from './kms/kmsProvider.ts'
import { createRefusals } from './limits.ts'
import { createRecoveryBreaker } from './recoveryBreaker.ts'
import type { Vault } from './vault.ts'

type VaultDeps = Pick<Services, 'db' | 'clock' | 'log' | 'metrics' | 'health'> & {
  readonly auth: Auth
  readonly kms: KmsProvider
  readonly alertOperator: AlertOperator
}

/** The vault of a server, which registers its metrics and its note in `/ready`. */
export function createVault({ auth, kms, ...deps }: VaultDeps): Vault {
  const refusals = createRefusals(deps.metrics.registry)
  return { ...auth, kms, refusals, breaker: createRecoveryBreaker({ ...deps, refusals }) }
}
