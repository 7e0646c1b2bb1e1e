import { isNewerRealm, LatchkeyError } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import { requireStepUp } from '../../auth/session/stepUp.ts'
import { dropStartedMail, walletDroppedMail } from '../../mail/walletMails.ts'
import { appendAudit } from '../audit.ts'
import { takeVaultTurn } from '../limits.ts'
import type { Db, Vault } from '../vault.ts'
import type { WalletRow } from '../wallet/findWallet.ts'
import { holdsWallet, isHeldElsewhere, lockWallets, requireHolderOf } from './lockWallets.ts'
import { mailOwner } from './mailOwner.ts'

/** How long a wallet that the caller does not hold stays after the first request to drop it. */
const dropDelayMs = 24 * 3_600_000

type Dropping = { readonly session: StoredLogin; readonly walletId: string }

/**
 * Deletes a wallet that is not in use: its shares, seed and recovery methods. The move away from it
 * stays, so that browsers that hold it still find the wallet in use. A newer wallet that the caller
 * does not hold, and that perhaps no device holds any longer, stays for a day (`secondsLeft`), and
 * longer if a device uses it. It also stays while another device holds it. Repeating the call
 * changes nothing. Throws `WALLET_NOT_ENROLLED`, `STEP_UP_NEEDED`, `RATE_LIMITED`, `INVALID_PARAMS`
 * while another device holds it, and `WALLET_CHANGED` for the wallet in use.
 */
export async function dropWallet(
  vault: Vault,
  { session, walletId }: Dropping,
): Promise<{ secondsLeft: number }> {
  const { userId, deviceId } = session
  await takeVaultTurn(vault, 'vault move', session)
  const nowMs = vault.clock()
  const { dropped, started, secondsLeft } = await vault.db.transaction().execute(async (trx) => {
    const { current, other } = await lockWallets(trx, userId)
    if (!current) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    await requireHolderOf(trx, { deviceId, wallet: current })
    if (current.id === walletId) throw new LatchkeyError('WALLET_CHANGED')
    // If the client lost an earlier response, there is nothing left to confirm.
    if (other?.id !== walletId) return { secondsLeft: 0 }
    const isOlder = isNewerRealm(current.realm, other.realm)
    if (!isOlder && (await isHeldElsewhere(trx, { deviceId, wallet: other })))
      throw new LatchkeyError('INVALID_PARAMS', {
        data: { reason: 'another device holds this wallet, so first remove that device' },
      })
    await requireStepUp({ ...vault, db: trx }, session, `drop ${walletId}`)
    const detail = { wallet: walletId }
    const isOwn = isOlder || (await holdsWallet(trx, { deviceId, wallet: other }))
    const waitMs = isOwn ? 0 : (other.drop_at?.getTime() ?? nowMs + dropDelayMs) - nowMs
    if (waitMs > 0) {
      const secondsLeft = Math.ceil(waitMs / 1000)
      if (other.drop_at) return { secondsLeft }
      const drop_at = new Date(nowMs + dropDelayMs)
      await trx.updateTable('wallets').set({ drop_at }).where('id', '=', walletId).execute()
      const action = 'wallet drop started'
      await appendAudit(trx, vault, { subject: userId, deviceId, action, detail })
      return { started: other, secondsLeft }
    }
    await trx.deleteFrom('wallet_changes').where('wallet_id', '=', walletId).execute()
    await trx.deleteFrom('wallets').where('id', '=', walletId).execute()
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'wallet dropped', detail })
    return { dropped: other, secondsLeft: 0 }
  })
  if (started) await mailOwner(vault, session, dropStartedMail({ wallet: started.eip155 }))
  if (dropped) await mailOwner(vault, session, walletDroppedMail({ wallet: dropped.eip155 }))
  return { secondsLeft }
}

/**
 * Cancels the drop of a wallet, because a holder of the wallet uses it: then only its holders may
 * drop it.
 */
export async function keepWallet(db: Db, { id, drop_at }: WalletRow): Promise<void> {
  if (drop_at !== null)
    await db.updateTable('wallets').set({ drop_at: null }).where('id', '=', id).execute()
}
