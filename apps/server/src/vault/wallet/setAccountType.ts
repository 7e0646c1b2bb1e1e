import { LatchkeyError } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import { appendAudit } from '../audit.ts'
import { takeVaultTurn } from '../limits.ts'
import { lockWallets, requireHolderOf } from '../moves/lockWallets.ts'
import type { Vault } from '../vault.ts'

type Choice = {
  readonly session: StoredLogin
  /** The EVM address of any of the user's wallets. */
  readonly account: string
  readonly type: 'eoa' | 'smartAccount'
  /** Stores the type only if none is stored yet. */
  readonly first?: true | undefined
}

/**
 * Stores how the account of a wallet sends, for all browsers of its owner. Only a device that holds
 * the wallet may do that. Storing the same type again changes nothing. Throws
 * `WALLET_NOT_ENROLLED`, `RATE_LIMITED`.
 */
export async function setAccountType(
  vault: Vault,
  { session, account, type, first }: Choice,
): Promise<Record<string, never>> {
  const { userId, deviceId } = session
  await takeVaultTurn(vault, 'vault account type', session)
  await vault.db.transaction().execute(async (trx) => {
    const { current, other } = await lockWallets(trx, userId)
    const wallet = [current, other].find((one) => one?.eip155 === account)
    if (!wallet) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    await requireHolderOf(trx, { deviceId, wallet })
    const { id, account_type } = wallet
    if (account_type === type || (first && account_type !== null)) return
    await trx.updateTable('wallets').set({ account_type: type }).where('id', '=', id).execute()
    const detail = { wallet: id, type }
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'account type set', detail })
  })
  return {}
}
