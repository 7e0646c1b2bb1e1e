import type { WalletAddresses, WalletView } from '@latchkey/wire'
import { commitKeyChange } from '../commitKeyChange.ts'
import { makeSlot } from '../createWallet.ts'
import { type Bytes, createRandomId, wipe } from '../crypto/bytes.ts'
import { signManifest, verifyManifest, type WalletFacts } from '../manifest.ts'
import { installPinned, type Pinning } from '../migration/pinWallet.ts'
import { openShareKey, quarantineError, wipeOpened } from '../openSharedSeed.ts'
import { forgetVersion } from '../readFacts.ts'
import type { VaultIdentity, WalletVault } from '../vault.ts'
import { type BrowserKeys, readRecord, wrapShare } from '../walletRecord.ts'

type Enrolling = {
  readonly who: VaultIdentity
  readonly wallet: WalletView
  readonly browser: BrowserKeys
  readonly kek: Bytes
  readonly epoch: number
  readonly pinning: Pinning
}

/** Makes a split for this device from the recovered key, and uses the wallet here. */
export async function enrollSelf(
  vault: WalletVault,
  { who, wallet, browser, kek, epoch, pinning }: Enrolling,
): Promise<WalletAddresses> {
  const facts = toWalletFacts(who, wallet)
  const { addresses, recoveryKey } = wallet
  const opened = await openShareKey(kek, wallet, { ...facts, epoch })
  const pinned = await readRecord(vault.store, who)
  if (pinned && pinned.addresses.eip155 !== addresses.eip155)
    throw quarantineError('this browser knows the wallet by another address')
  const known = readSigned(wallet, epoch)
  await forgetVersion(vault, wallet.id)
  const changeId = createRandomId()
  const { device, slot } = await makeSlot(opened.kek, {
    ...facts,
    slot: who.deviceId,
    epoch,
    recoveryKey,
  })
  const manifest = signManifest(
    withDevice(known, who.deviceId, browser.deviceKey),
    opened.keys.eip155,
  )
  wipeOpened(opened)
  const wrappedShare = await wrapShare(device, { keys: browser, ...facts, changeId, epoch })
  wipe(device)
  const { walletId, userId, realm } = facts
  const install = () =>
    commitKeyChange(vault, {
      who,
      manifest,
      change: {
        changeId,
        walletId,
        epoch,
        deviceKey: browser.deviceKey,
        manifest,
        slots: [slot],
      },
      record: {
        v: 1,
        walletId,
        userId,
        realm,
        addresses,
        ...(pinned?.current && { current: pinned.current }),
        next: {
          changeId,
          epoch,
          manifestVersion: known.version + 1,
          wrappedShare,
          sealedSeed: wallet.sealedSeed,
          sealedRecoveryShare: slot.sealedRecoveryShare,
          recoveryKey,
        },
      },
    })
  const record = await installPinned(vault, pinning, install)
  return record.addresses
}

/** The next manifest: one version higher, and with this device. */
export const withDevice = (known: WalletFacts, id: string, key: string): WalletFacts => ({
  ...known,
  version: known.version + 1,
  devices: [...known.devices.filter((device) => device.id !== id), { id, key }],
})

function readSigned(wallet: WalletView, epoch: number): WalletFacts {
  try {
    const facts = verifyManifest(wallet.manifest, wallet.addresses.eip155)
    const goneIds = new Set(wallet.gone)
    if (facts.epoch === epoch && facts.walletId === wallet.id)
      return { ...facts, devices: facts.devices.filter(({ id }) => !goneIds.has(id)) }
  } catch (cause) {
    throw quarantineError('the manifest is not signed by the wallet', cause)
  }
  throw quarantineError('the manifest is of another epoch')
}

export const toWalletFacts = (
  who: Pick<VaultIdentity, 'userId' | 'realm'>,
  wallet: WalletView,
) => ({
  walletId: wallet.id,
  userId: who.userId,
  realm: who.realm,
  addresses: wallet.addresses,
})
