import { LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import { createInRealm } from '../createWallet.ts'
import { randomId } from '../crypto/bytes.ts'
import type { FactorSetup } from '../recovery/factors.ts'
import { settleChange } from '../settleChange.ts'
import { type Vault, withWalletLock } from '../vault.ts'
import { readRecord } from '../walletRecord.ts'
import { readMovePin, writeMovePin } from './movePin.ts'

/**
 * Creates the wallet to move to, or finishes an interrupted creation, beside the one in use. Nothing else changes. If this browser
 * has created it already, returns that one. Throws `WALLET_NOT_ENROLLED` if this browser does not hold the wallet in use, and
 * `WALLET_EXISTS` if there is a second wallet that it does not hold.
 */
export const createFreshWallet = (
  vault: Vault,
  { factors }: { readonly factors: readonly FactorSetup[] },
): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    const { state, record } = await settleChange(vault)
    const { userId, other } = state
    if (!record?.current) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    if (other) {
      const held = await readRecord(vault.store, { userId, realm: other.realm })
      if (held?.current && held.walletId === other.id) return held.addresses
      if (held?.next?.changeId === undefined || held.walletId !== other.id)
        throw new LatchkeyError('WALLET_EXISTS')
    }
    const realm = other?.realm ?? (await chooseRealm(vault, userId))
    return createInRealm(vault, { realm, factors })
  })

/** The realm of a creation that this browser has begun, or a new one. A wallet that the server has lost keeps its own. */
async function chooseRealm(vault: Vault, userId: string): Promise<string> {
  const pin = await readMovePin(vault.store, userId)
  if (pin.next) {
    const begun = await readRecord(vault.store, { userId, realm: pin.next })
    if (!begun?.current) return pin.next
  }
  const next = `main-${randomId()}`
  await writeMovePin(vault.store, userId, { ...pin, next })
  return next
}
