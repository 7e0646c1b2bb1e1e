import { LatchkeyError, type Manifest } from '@latchkey/wire'
import type { StoredLogin } from '../../auth/session/session.ts'
import { appendAudit } from '../audit.ts'
import type { Db, Vault } from '../vault.ts'
import { findWallet } from '../wallet/findWallet.ts'
import { findMissingDevices, isSubset } from '../wallet/missingDevices.ts'
import { parseManifest, readManifest } from '../wallet/readManifest.ts'
import { requireHolder } from '../wallet/requireHolder.ts'

type DeviceList = { readonly session: StoredLogin; readonly manifest: Manifest }

/**
 * Accepts a signed list of devices from a device that holds the wallet. The new list may only leave
 * out devices that no longer hold a split. Throws `WALLET_NOT_ENROLLED`, `COMMIT_REFUSED` for any
 * other change, and `WALLET_CHANGED` if another change came first.
 */
export async function signDevices(
  vault: Vault,
  { session, manifest }: DeviceList,
): Promise<Record<string, never>> {
  await requireHolder(vault, session, parseManifest(manifest.text).realm)
  await vault.db.transaction().execute(async (trx) => {
    await replaceDevices(trx, { session, manifest })
    const { userId, deviceId } = session
    const action = 'list of devices signed'
    await appendAudit(trx, vault, { subject: userId, deviceId, action })
  })
  return {}
}

/**
 * Like {@link signDevices}, as part of a larger change. Call it after the splits of the removed
 * devices are deleted.
 */
export async function replaceDevices(trx: Db, { session, manifest }: DeviceList): Promise<void> {
  const facts = await readManifest(manifest)
  const wallet = await findWallet(trx, session.userId, facts.realm)
  if (!wallet) throw new LatchkeyError('VAULT_NOT_FOUND')
  if (facts.version !== wallet.manifest_version + 1 || facts.epoch !== wallet.epoch)
    throw new LatchkeyError('WALLET_CHANGED')
  const sameWallet =
    facts.walletId === wallet.id &&
    facts.userId === wallet.user_id &&
    facts.realm === wallet.realm &&
    facts.recoveryKey === wallet.recovery_key &&
    facts.addresses.eip155 === wallet.eip155 &&
    facts.addresses.solana === wallet.solana
  if (!sameWallet || !isSubset(facts, wallet)) throw new LatchkeyError('COMMIT_REFUSED')
  const missing = await findMissingDevices(trx, wallet)
  const remaining = new Set(facts.devices.map(({ id }) => id))
  const dropped = parseManifest(wallet.manifest).devices.filter(({ id }) => !remaining.has(id))
  // The list must contain every device that holds the wallet, and no other device.
  const isHonest =
    dropped.every(({ id }) => missing.includes(id)) && !missing.some((id) => remaining.has(id))
  if (!isHonest) throw new LatchkeyError('COMMIT_REFUSED')
  const updated = await trx
    .updateTable('wallets')
    .set({
      manifest: manifest.text,
      manifest_signature: manifest.signature,
      manifest_version: facts.version,
    })
    .where('id', '=', wallet.id)
    .where('manifest_version', '=', wallet.manifest_version)
    .where('epoch', '=', wallet.epoch)
    .executeTakeFirst()
  if (updated.numUpdatedRows !== 1n) throw new LatchkeyError('WALLET_CHANGED')
}
