import { gcmSealed, hpkeSealed, recoveryFactor, walletAddresses } from '@latchkey/wire'
import * as z from 'zod/mini'

/**
 * All that a person needs beside a recovery factor, when there is no server any more. Nobody can do anything with it
 * alone, and the server's shares are of other splits.
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
  /** One share of a split made for this bundle, and another sealed to the recovery key. The third was thrown away. */
  share: z.string(),
  sealedRecoveryShare: hpkeSealed,
})
export type RecoveryBundle = z.infer<typeof recoveryBundle>
