import { hpkeOpen } from '../crypto/hpke.ts'
import { verifyManifest } from '../manifest.ts'
import { quarantineError } from '../openSharedSeed.ts'
import { pinVersion } from '../readFacts.ts'
import { readWalletState } from '../readState.ts'
import type { VaultIdentity, WalletVault } from '../vault.ts'
import { type BrowserKeys, type WalletRecord, wrapShare } from '../walletRecord.ts'

type Adopting = {
  readonly who: VaultIdentity
  readonly record: WalletRecord
  readonly browser: BrowserKeys
  /** The epoch of the share that the server released. */
  readonly epoch: number
}

/**
 * The split that another device of the user made for this one when it changed the key; not stored
 * yet. Throws `WALLET_QUARANTINED` unless the wallet itself has signed it and it is newer than
 * everything that this device has seen.
 */
export async function adoptRotation(
  vault: WalletVault,
  { who, record, browser, epoch }: Adopting,
): Promise<WalletRecord> {
  const { current } = record
  if (!current || epoch <= current.epoch)
    throw quarantineError('the server has an older or another split of this device')
  const { wallet } = await readWalletState(vault, record.realm)
  const slot = wallet?.slot
  if (!wallet || wallet.id !== record.walletId || !slot?.sealedDeviceShare || slot.epoch !== epoch)
    throw quarantineError('the server has no split for this device')
  const { walletId, userId, realm, addresses } = record
  const facts = await readSigned(() => verifyManifest(wallet.manifest, addresses.eip155))
  const ownDevice = facts.devices.find((device) => device.id === who.deviceId)
  if (facts.version <= current.manifestVersion || facts.epoch !== epoch)
    throw quarantineError('the server shows an older state of the wallet')
  await pinVersion(vault, wallet, facts)
  if (ownDevice?.key !== browser.deviceKey || facts.walletId !== walletId)
    throw quarantineError('the wallet does not name this device')
  const context = ['device share', walletId, who.deviceId, slot.changeId, epoch]
  const share = await readSigned(() =>
    hpkeOpen(browser.device, slot.sealedDeviceShare ?? { enc: '', ct: '' }, context),
  )
  const place = { walletId, userId, realm }
  const next = {
    changeId: slot.changeId,
    epoch,
    manifestVersion: facts.version,
    wrappedShare: await wrapShare(share, {
      keys: browser,
      ...place,
      changeId: slot.changeId,
      epoch,
    }),
    sealedSeed: wallet.sealedSeed,
    sealedRecoveryShare: slot.sealedRecoveryShare,
    recoveryKey: facts.recoveryKey,
  }
  share.fill(0)
  return { ...record, current: next }
}

async function readSigned<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw quarantineError('what the server shows is not signed by the wallet', cause)
  }
}
