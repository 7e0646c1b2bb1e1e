import { type HpkeSealed, LatchkeyError } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import { appendAudit } from '../audit.ts'
import { hpkeSeal } from '../keys/hpkeSeal.ts'
import { openForUser, readUserKey } from '../keys/userKey.ts'
import { takeVaultTurn } from '../limits.ts'
import { keepWallet } from '../moves/dropWallet.ts'
import { fromBase64Url, type Vault } from '../vault.ts'
import { findSlot, findWallet } from './findWallet.ts'
import { getShareContext } from './storeChange.ts'

type ReleasedShare = {
  readonly changeId: string
  readonly epoch: number
  readonly sealed: HpkeSealed
}

type Releasing = {
  readonly session: StoredLogin
  readonly changeId?: string | undefined
  /** Defaults to the wallet in use. */
  readonly realm?: string | undefined
}

/**
 * The server's share of the calling device's split, encrypted to that device's key. Throws
 * `VAULT_NOT_FOUND` if the device has no split, `RATE_LIMITED`, `VAULT_UNAVAILABLE`.
 */
export async function releaseShare(
  vault: Vault,
  { session, changeId, realm }: Releasing,
): Promise<ReleasedShare> {
  const { userId, deviceId } = session
  await takeVaultTurn(vault, 'vault share', session)
  const found = await (changeId === undefined
    ? findActive(vault, session, realm)
    : findPending(vault, { session, changeId }))
  if (!found) throw new LatchkeyError('VAULT_NOT_FOUND')
  const { walletId, epoch, shareSealed, deviceKey, wallet } = found
  const share = await openShare(vault, {
    userId,
    sealed: shareSealed,
    place: { walletId, slot: deviceId, changeId: found.changeId, epoch },
  })
  const context = ['share', walletId, deviceId, found.changeId, epoch]
  const sealed = await hpkeSeal(deviceKey, share, context)
  share.fill(0)
  await vault.db.transaction().execute(async (trx) => {
    if (changeId === undefined)
      await trx
        .updateTable('wallet_slots')
        .set({ used_at: new Date(vault.clock()) })
        .where('wallet_id', '=', walletId)
        .where('slot', '=', deviceId)
        .execute()
    if (wallet) await keepWallet(trx, wallet)
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'share released' })
  })
  return { changeId: found.changeId, epoch, sealed }
}

async function findActive({ db }: Vault, { userId, deviceId }: StoredLogin, realm?: string) {
  const wallet = await findWallet(db, userId, realm)
  const slot = wallet && (await findSlot(db, { walletId: wallet.id, slot: deviceId }))
  if (!wallet || !slot?.device_key) return undefined
  return {
    wallet,
    walletId: wallet.id,
    changeId: slot.change_id,
    epoch: slot.epoch,
    shareSealed: slot.share_sealed,
    deviceKey: slot.device_key,
  }
}

async function findPending(
  { db, clock }: Vault,
  { session, changeId }: { readonly session: StoredLogin; readonly changeId: string },
) {
  const change = await db
    .selectFrom('wallet_changes')
    .selectAll()
    .where('id', '=', changeId)
    .where('user_id', '=', session.userId)
    .where('device_id', '=', session.deviceId)
    .where('expires_at', '>', new Date(clock()))
    .executeTakeFirst()
  const slot = change?.body.slots.find((each) => each.slot === session.deviceId)
  if (!change || !slot) return undefined
  const { epoch, deviceKey } = change.body
  const shareSealed = fromBase64Url(slot.shareSealed)
  return { wallet: undefined, walletId: change.wallet_id, changeId, epoch, shareSealed, deviceKey }
}

/**
 * The server's share of the recovery split of the wallet in `realm`, by default of the wallet in
 * use, encrypted to the calling device's key. Useful only to a user who can open the other half.
 * Limited to 3 per day, and shown in the user's log. A device that holds a wallet which is not in
 * use gets nothing new from its share, so it may try a kit as often as it may get its own share.
 */
export async function releaseRecoveryShares(
  vault: Vault,
  {
    session,
    deviceKey,
    realm,
  }: {
    readonly session: StoredLogin
    readonly deviceKey: string
    readonly realm?: string | undefined
  },
) {
  const { userId, deviceId } = session
  const wallet = await findWallet(vault.db, userId, realm)
  const slot = wallet && (await findSlot(vault.db, { walletId: wallet.id, slot: 'recovery' }))
  if (!wallet || !slot) throw new LatchkeyError('VAULT_NOT_FOUND')
  const holds = await findSlot(vault.db, { walletId: wallet.id, slot: deviceId })
  if (holds && wallet.place === 'other') await takeVaultTurn(vault, 'vault share', session)
  else {
    await takeVaultTurn(vault, 'vault recovery', session)
    await vault.breaker.take()
  }
  const { change_id: changeId, epoch } = slot
  const share = await openShare(vault, {
    userId,
    sealed: slot.share_sealed,
    place: { walletId: wallet.id, slot: 'recovery', changeId, epoch },
  })
  const sealed = await hpkeSeal(deviceKey, share, ['share', wallet.id, 'recovery', epoch])
  share.fill(0)
  await vault.db.transaction().execute(async (trx) => {
    const action = 'recovery shares released'
    await appendAudit(trx, vault, { subject: userId, deviceId, action })
  })
  return { epoch, sealed, sealedRecoveryShare: slot.sealed_recovery }
}

type Opening = {
  readonly userId: string
  readonly sealed: Uint8Array
  readonly place: Parameters<typeof getShareContext>[0]
}

async function openShare(vault: Vault, { userId, sealed, place }: Opening): Promise<Buffer> {
  const key = await readUserKey(vault.db, vault, userId)
  if (!key) throw new LatchkeyError('VAULT_NOT_FOUND')
  try {
    return openForUser(key, sealed, getShareContext(place))
  } catch (cause) {
    vault.log.error({ walletId: place.walletId }, 'a share was changed')
    throw new LatchkeyError('VAULT_UNAVAILABLE', { cause })
  }
}
