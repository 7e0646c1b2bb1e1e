import { LatchkeyError } from '@latchkey/wire'
import type { Session } from '../../auth/session/session.ts'
import { requireStepUp } from '../../auth/session/stepUp.ts'
import { appendAudit } from '../audit.ts'
import type { Db, Vault } from '../vault.ts'
import { requireHolder } from '../wallet/requireHolder.ts'
import { lockWallets, requireNewer } from './lockWallets.ts'

/**
 * Deletes the wallet that is not in use: its shares, seed and ways of recovery. The move away from it stays, so that browsers that
 * hold it still find the one in use. Repeating the call changes nothing. Throws `WALLET_NOT_ENROLLED`, `STEP_UP_NEEDED`, and
 * `WALLET_CHANGED` for the wallet in use.
 */
export async function dropWallet(
  vault: Vault,
  { session, walletId }: { readonly session: Session; readonly walletId: string },
): Promise<Record<string, never>> {
  const { userId, deviceId } = session
  await requireHolder(vault, session)
  // After a lost answer there is nothing left to confirm.
  if (!(await isThere(vault.db, { userId, walletId }))) return {}
  await requireStepUp(vault, session, `drop ${walletId}`)
  await vault.db.transaction().execute(async (trx) => {
    const { current, other } = await lockWallets(trx, userId)
    if (!current || current.id === walletId) throw new LatchkeyError('WALLET_CHANGED')
    if (other?.id !== walletId) return
    await requireNewer(trx, { deviceId, current, other })
    await trx.deleteFrom('wallet_changes').where('wallet_id', '=', walletId).execute()
    await trx.deleteFrom('wallets').where('id', '=', walletId).execute()
    const detail = { wallet: walletId }
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'wallet dropped', detail })
  })
  return {}
}

async function isThere(
  db: Db,
  { userId, walletId }: { readonly userId: string; readonly walletId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('wallets')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', walletId)
    .executeTakeFirst()
  return row !== undefined
}
