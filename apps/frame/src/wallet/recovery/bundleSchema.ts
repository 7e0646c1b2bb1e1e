import { gcmSealed, hpkeSealed, recoveryFactor, walletAddresses } from '@latchkey/wire'
import * as z from 'zod/mini'

/**
 * Everything that the user needs in addition to a recovery factor if the server no longer exists.
 * It is useless alone, and the server's shares belong to other splits.
 */
export const recoveryBundle = z.strictObject({
  latchkey: z.literal('recovery bundle'),
  v: z.literal(1),
  walletId: z.string(),
  userId: z.string(),
  realm: z.string(),
  epoch: z.int(),
  addresses: walletAddresses,
  recoveryKey: z.string(),
  sealedSeed: gcmSealed,
  factors: z.array(recoveryFactor),
  /**
   * One share of a split made for this bundle, and another share sealed to the recovery key. The
   * third was discarded.
   */
  share: z.string(),
  sealedRecoveryShare: hpkeSealed,
})
export type RecoveryBundle = z.infer<typeof recoveryBundle>
