import { LatchkeyError, type WalletChange } from '@latchkey/wire'
import { appendAudit } from '../audit.ts'
import { sealForUser, type UserKey } from '../keys/userKey.ts'
import { sealFactor } from '../recovery/storeFactor.ts'
import type { StoredChange } from '../tables.ts'
import { type Db, fromBase64Url, pendingMs, toBase64Url, type Vault } from '../vault.ts'
import type { ManifestFacts } from './readManifest.ts'

/** A change that waits for its commit. */
export type PendingChange = { readonly changeId: string; readonly secondsLeft: number }

type Sealing = {
  readonly key: UserKey
  readonly change: WalletChange
  readonly facts: ManifestFacts
}

/**
 * A change as it is stored: shares and the operator's recovery key are encrypted with the user's
 * key.
 */
export async function sealChange(
  vault: Vault,
  { key, change, facts }: Sealing,
): Promise<StoredChange> {
  const { walletId, changeId, epoch, seal, factors, accountType } = change
  return {
    epoch,
    manifestVersion: facts.version,
    deviceKey: change.deviceKey,
    addresses: facts.addresses,
    manifest: change.manifest,
    ...(seal && { seal: { recoveryKey: seal.recoveryKey, sealedSeed: seal.sealedSeed } }),
    slots: change.slots.map(({ slot, share, sealedRecoveryShare, sealedDeviceShare }) => ({
      slot,
      shareSealed: toBase64Url(
        sealForUser(
          key,
          fromBase64Url(share),
          getShareContext({ walletId, slot, changeId, epoch }),
        ),
      ),
      sealedRecoveryShare,
      ...(sealedDeviceShare && { sealedDeviceShare }),
    })),
    ...(factors && {
      factors: await Promise.all(
        factors.map((factor) => sealFactor(vault, { key, walletId }, factor)),
      ),
    }),
    ...(accountType && { accountType }),
  }
}

/** Binds a share to its row, so that it does not decrypt in another row. */
export const getShareContext = (at: {
  readonly walletId: string
  readonly slot: string
  readonly changeId: string
  readonly epoch: number
}) => ['share', at.walletId, at.slot, at.changeId, at.epoch] as const

type StoreChangeOptions = {
  readonly userId: string
  readonly deviceId: string
  readonly realm: string
  readonly walletId: string
  readonly changeId: string
  readonly creates: boolean
  readonly digest: Buffer
  readonly stored: StoredChange
}

/**
 * Stores a change until it expires. Throws `WALLET_EXISTS` for a second creation, and
 * `WALLET_CHANGED`.
 */
export async function storeChange(
  vault: Vault,
  keeping: StoreChangeOptions,
): Promise<PendingChange> {
  const { userId, deviceId, realm, walletId, changeId, creates, digest, stored } = keeping
  const nowMs = vault.clock()
  await vault.db.transaction().execute(async (trx) => {
    if (creates) await clearCreation(trx, keeping, nowMs)
    const inserted = await trx
      .insertInto('wallet_changes')
      .values({
        id: changeId,
        wallet_id: walletId,
        user_id: userId,
        realm,
        device_id: deviceId,
        creates,
        digest,
        body: JSON.stringify(stored),
        created_at: new Date(nowMs),
        expires_at: new Date(nowMs + pendingMs),
        committed_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (inserted.numInsertedOrUpdatedRows !== 1n)
      throw new LatchkeyError(creates ? 'WALLET_EXISTS' : 'WALLET_CHANGED')
    const action = creates ? 'wallet creation prepared' : 'wallet change prepared'
    await appendAudit(trx, vault, { subject: userId, deviceId, action, detail: { changeId } })
  })
  return { changeId, secondsLeft: pendingMs / 1000 }
}

/**
 * Deletes creations that have expired, and a creation that this device began before and never
 * showed to the user.
 */
async function clearCreation(
  trx: Db,
  { userId, deviceId, realm }: StoreChangeOptions,
  nowMs: number,
): Promise<void> {
  await trx
    .deleteFrom('wallet_changes')
    .where('user_id', '=', userId)
    .where('realm', '=', realm)
    .where('creates', '=', true)
    .where((row) =>
      row.or([row('expires_at', '<=', new Date(nowMs)), row('device_id', '=', deviceId)]),
    )
    .execute()
}
