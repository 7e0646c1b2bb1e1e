import { LatchkeyError } from '@latchkey/wire'
import { retirePasskeys } from '../../auth/passkeys/passkeys.ts'
import type { StoredLogin } from '../../auth/session/session.ts'
import { appendAudit } from '../audit.ts'
import { lockWallets } from '../moves/lockWallets.ts'
import { insertFactors } from '../recovery/storeFactor.ts'
import { type Db, fromBase64Url, type Vault } from '../vault.ts'
import { commitDigest, isSignedBy } from './digests.ts'
import { isFirstWallet } from './prepareWallet.ts'

type SignedCommit = {
  readonly session: StoredLogin
  readonly changeId: string
  readonly signature: string
}
type CommittedWallet = { readonly walletId: string; readonly epoch: number }

/**
 * Commits a prepared change as a whole, once the wallet's key has signed it. Repeating the call
 * changes nothing. Throws `VAULT_NOT_FOUND` if the change has expired, `COMMIT_REFUSED`, and
 * `WALLET_CHANGED` if another change came first.
 */
export async function commitWallet(
  vault: Vault,
  parameters: SignedCommit,
): Promise<CommittedWallet> {
  const { session, changeId, signature } = parameters
  return vault.db.transaction().execute(async (trx) => {
    // The wallets first, in the same order in which a drop locks them.
    await lockWallets(trx, session.userId)
    const change = await lockChange(trx, parameters)
    const { wallet_id: walletId, body } = change
    const { epoch } = body
    if (change.committed_at !== null) return { walletId, epoch }
    if (change.expires_at.getTime() <= vault.clock()) throw new LatchkeyError('VAULT_NOT_FOUND')
    const digest = commitDigest({ walletId, changeId, epoch, ...session })
    if (!(await isSignedBy(body.addresses.eip155, { digest, signature })))
      throw new LatchkeyError('COMMIT_REFUSED')
    await (change.creates ? createRow(trx, vault, change) : updateRow(trx, change))
    await replaceSlots(trx, vault, change)
    await trx
      .updateTable('wallet_changes')
      .set({ committed_at: new Date(vault.clock()), creates: false })
      .where('id', '=', changeId)
      .execute()
    const { userId, deviceId } = session
    const action = change.creates
      ? 'wallet created'
      : body.seal
        ? 'wallet key changed'
        : 'device enrolled'
    await appendAudit(trx, vault, { subject: userId, deviceId, action, detail: { epoch } })
    return { walletId, epoch }
  })
}

async function lockChange(trx: Db, { session, changeId }: SignedCommit) {
  const change = await trx
    .selectFrom('wallet_changes')
    .selectAll()
    .where('id', '=', changeId)
    .where('user_id', '=', session.userId)
    .where('device_id', '=', session.deviceId)
    .forUpdate()
    .executeTakeFirst()
  if (!change) throw new LatchkeyError('VAULT_NOT_FOUND')
  return change
}

type Change = Awaited<ReturnType<typeof lockChange>>

async function createRow(trx: Db, vault: Vault, { wallet_id, user_id, realm, body }: Change) {
  const { seal, addresses, manifest, manifestVersion, epoch, factors = [], accountType } = body
  if (!seal) throw new LatchkeyError('COMMIT_REFUSED')
  const nowMs = vault.clock()
  const isFirst = await isFirstWallet(trx, { userId: user_id, facts: { realm, addresses } })
  const inserted = await trx
    .insertInto('wallets')
    .values({
      id: wallet_id,
      user_id,
      realm,
      epoch,
      eip155: addresses.eip155,
      solana: addresses.solana,
      recovery_key: seal.recoveryKey,
      manifest: manifest.text,
      manifest_signature: manifest.signature,
      manifest_version: manifestVersion,
      sealed_seed: JSON.stringify(seal.sealedSeed),
      created_at: new Date(nowMs),
      place: isFirst ? 'current' : 'other',
      account_type: accountType ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) throw new LatchkeyError('WALLET_EXISTS')
  await insertFactors(trx, { walletId: wallet_id, factors, nowMs })
}

async function updateRow(trx: Db, { wallet_id, user_id, body, created_at }: Change) {
  const { seal, manifest, manifestVersion, epoch, factors } = body
  const updated = await trx
    .updateTable('wallets')
    .set({
      epoch,
      manifest: manifest.text,
      manifest_signature: manifest.signature,
      manifest_version: manifestVersion,
      // A device has opened it, so only its holders may drop it.
      drop_at: null,
      ...(seal && {
        recovery_key: seal.recoveryKey,
        sealed_seed: JSON.stringify(seal.sealedSeed),
      }),
    })
    .where('id', '=', wallet_id)
    .where('user_id', '=', user_id)
    .where('manifest_version', '=', manifestVersion - 1)
    .where('epoch', '=', seal ? epoch - 1 : epoch)
    .where('eip155', '=', body.addresses.eip155)
    .executeTakeFirst()
  if (updated.numUpdatedRows !== 1n) throw new LatchkeyError('WALLET_CHANGED')
  if (!factors) return
  const removed = await trx
    .deleteFrom('recovery_factors')
    .where('wallet_id', '=', wallet_id)
    .returning('credential_id')
    .execute()
  const kept = factors.map(({ credentialId }) => credentialId)
  const credentialIds = removed.flatMap(({ credential_id: id }) =>
    id === null || kept.includes(id) ? [] : [id],
  )
  await retirePasskeys(trx, { userId: user_id, credentialIds })
  await insertFactors(trx, { walletId: wallet_id, factors, nowMs: created_at.getTime() })
}

/**
 * A new key replaces every split of the old one. Without a new key only the slots of the change are
 * replaced.
 */
async function replaceSlots(trx: Db, vault: Vault, change: Change): Promise<void> {
  const { id, wallet_id, device_id, body } = change
  const now = new Date(vault.clock())
  const before = await trx
    .selectFrom('wallet_slots')
    .select(['slot', 'device_key', 'used_at'])
    .where('wallet_id', '=', wallet_id)
    .execute()
  const names = body.slots.map(({ slot }) => slot)
  const removal = trx.deleteFrom('wallet_slots').where('wallet_id', '=', wallet_id)
  await (body.seal ? removal : removal.where('slot', 'in', names)).execute()
  const rows = body.slots.flatMap((slot) => {
    const current = before.find((row) => row.slot === slot.slot)
    const own = slot.slot === device_id
    // A change by another device must not bring back a device that was revoked in the meantime.
    if (!own && slot.slot !== 'recovery' && !current) return []
    return [
      {
        wallet_id,
        slot: slot.slot,
        change_id: id,
        epoch: body.epoch,
        share_sealed: fromBase64Url(slot.shareSealed),
        sealed_recovery: JSON.stringify(slot.sealedRecoveryShare),
        sealed_device: slot.sealedDeviceShare ? JSON.stringify(slot.sealedDeviceShare) : null,
        device_key: own ? body.deviceKey : (current?.device_key ?? null),
        created_at: now,
        used_at: current?.used_at ?? now,
      },
    ]
  })
  await trx.insertInto('wallet_slots').values(rows).execute()
}
