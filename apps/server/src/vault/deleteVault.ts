import { LatchkeyError } from '@latchkey/wire'
import { assertDeviceOwnsWallet } from '../auth/assertDeviceOwnsWallet.ts'
import type { StoredLogin } from '../auth/session/session.ts'
import { requireStepUp } from '../auth/session/stepUp.ts'
import { appendAudit } from './audit.ts'
import { lockWallets, readOwnWallets } from './moves/lockWallets.ts'
import type { Vault } from './vault.ts'

/**
 * Deletes a user: wallet, shares, recovery, devices, sessions and email address. The KMS shreds the
 * user's key first, so that no backup can restore anything. The log keeps the user's id, which is a
 * pseudonym. If there is a wallet, only a device that holds it may delete the user, and the other
 * wallet too if that is newer. Throws `WALLET_NOT_ENROLLED`, `STEP_UP_NEEDED`, `VAULT_UNAVAILABLE`.
 */
export async function deleteVault(
  vault: Vault,
  session: StoredLogin,
): Promise<Record<string, never>> {
  await assertDeviceOwnsWallet(vault.db, session)
  await requireAll(vault, session)
  await requireStepUp(vault, session, 'delete')
  const { userId, deviceId } = session
  await vault.kms.shred(userId)
  await vault.db.transaction().execute(async (trx) => {
    if (session.email)
      await trx.deleteFrom('logins').where('email_index', '=', session.email.index).execute()
    await trx.deleteFrom('users').where('id', '=', userId).execute()
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'deleted' })
  })
  vault.log.info('a user was deleted')
  return {}
}

/** A device must not delete a wallet that is newer than the ones it holds. */
const requireAll = ({ db }: Vault, session: StoredLogin): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { current, other } = await lockWallets(trx, session.userId)
    const wallets = [current, other].filter((wallet) => wallet !== undefined)
    if ((await readOwnWallets(trx, session)).length < wallets.length)
      throw new LatchkeyError('WALLET_NOT_ENROLLED')
  })
