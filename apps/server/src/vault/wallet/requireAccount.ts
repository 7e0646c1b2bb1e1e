import { LatchkeyError } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import { takeVaultTurn, type VaultAction } from '../limits.ts'
import { lockWallets, requireHolderOf } from '../moves/lockWallets.ts'
import type { Vault } from '../vault.ts'

/**
 * Counts an `action` of a device, which must hold the user's wallet with the EVM address `account`.
 * Throws `WALLET_NOT_ENROLLED`, `RATE_LIMITED`.
 */
export async function requireAccount(
  vault: Vault,
  { session, account, action }: { session: StoredLogin; account: string; action: VaultAction },
): Promise<void> {
  const { userId, deviceId } = session
  await takeVaultTurn(vault, action, session)
  await vault.db.transaction().execute(async (trx) => {
    const { current, other } = await lockWallets(trx, userId)
    const wallet = [current, other].find((one) => one?.eip155 === account)
    if (!wallet) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    await requireHolderOf(trx, { deviceId, wallet })
  })
}
