import { LatchkeyError } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import type { Vault } from '../vault.ts'
import { findSlot, findWallet } from './findWallet.ts'

/**
 * Requires a device that holds the wallet in `realm`, by default the wallet in use, so that a login
 * by email alone cannot take anything away from the owner. Throws `WALLET_NOT_ENROLLED`, also if
 * there is no wallet.
 */
export async function requireHolder(
  { db }: Pick<Vault, 'db'>,
  { userId, deviceId }: StoredLogin,
  realm?: string,
): Promise<void> {
  const wallet = await findWallet(db, userId, realm)
  const slot = wallet && (await findSlot(db, { walletId: wallet.id, slot: deviceId }))
  if (!slot) throw new LatchkeyError('WALLET_NOT_ENROLLED')
}
