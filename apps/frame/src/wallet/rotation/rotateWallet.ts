import { LatchkeyError, type WalletAddresses, type WalletSlot } from '@latchkey/wire'
import { commitKeyChange } from '../commitKeyChange.ts'
import { makeSlot } from '../createWallet.ts'
import { type Bytes, createRandomId, randomBytes, wipe } from '../crypto/bytes.ts'
import { deriveRecoveryKeyPair, hpkeSeal } from '../crypto/hpke.ts'
import { getWalletCore, signManifest, type WalletFacts } from '../manifest.ts'
import { type OpenWallet, openWallet } from '../openWallet.ts'
import { readManifestFacts } from '../readFacts.ts'
import { type FactorSetup, wrapFactor } from '../recovery/factors.ts'
import { resumeKeyChange } from '../resumeKeyChange.ts'
import { sealSeed } from '../sealSeed.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from '../vault.ts'
import { type BrowserKeys, browserKeys, wrapShare } from '../walletRecord.ts'

/**
 * Changes the key that protects the seed, and all its splits; the addresses stay. With `factors`
 * the recovery key is also new and only these factors recover from then on; without `operator`
 * among them the wallet becomes self-held. Other devices in the signed list that are not gone get
 * their new share sealed to their keys. An earlier copy of the seed stays a copy.
 */
export const rotateWallet = (
  vault: WalletVault,
  { factors }: { readonly factors?: readonly FactorSetup[] | undefined },
): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    if (factors?.length === 0) throw new LatchkeyError('LAST_FACTOR')
    const { state } = await resumeKeyChange(vault)
    const { wallet } = state
    if (!wallet) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    const browser = await browserKeys(vault.store)
    const rotated = await openWallet(vault, state, async (open) => {
      const known = await readManifestFacts(vault, { wallet, ...open })
      return makeRotation({ open, known, browser, who: state, factors })
    })
    const record = await commitKeyChange(vault, { who: state, ...rotated })
    return record.addresses
  })

type Rotating = {
  readonly open: OpenWallet
  readonly known: WalletFacts
  readonly browser: BrowserKeys
  readonly who: VaultIdentity
  readonly factors: readonly FactorSetup[] | undefined
}

async function makeRotation({ open, known, browser, who, factors }: Rotating) {
  const { record, secrets } = open
  const { walletId, userId, realm, addresses } = record
  const place = { walletId, userId, realm }
  const epoch = known.epoch + 1
  const version = known.version + 1
  const changeId = createRandomId()
  const kek = randomBytes(32)
  const fresh = { seed: secrets.seed, recoveryKey: factors ? randomBytes(32) : secrets.recoveryKey }
  const { publicKey: recoveryKey } = await deriveRecoveryKeyPair(fresh.recoveryKey)
  const sealedSeed = await sealSeed(kek, fresh, { ...place, addresses, epoch })
  const split = { kek, walletId, changeId, epoch, recoveryKey }
  const own = await makeSlot(kek, { walletId, slot: who.deviceId, epoch, recoveryKey })
  const spare = await makeSlot(kek, { walletId, slot: 'recovery', epoch, recoveryKey })
  const others = known.devices.filter((device) => device.id !== who.deviceId)
  const sealed = await Promise.all(others.map((device) => sealFor(device, split)))
  const facts = { ...place, addresses, recoveryKey }
  const manifest = signManifest({ ...known, ...facts, epoch, version }, open.keys.eip155)
  const core = getWalletCore(facts)
  const wrapped = await Promise.all(
    (factors ?? []).map((factor) => wrapFactor(factor, fresh.recoveryKey, core)),
  )
  const wrappedShare = await wrapShare(own.device, { keys: browser, ...place, changeId, epoch })
  wipe(kek, own.device, spare.device, factors && fresh.recoveryKey)
  const { sealedRecoveryShare } = own.slot
  const deviceSplit = { wrappedShare, sealedSeed, sealedRecoveryShare, recoveryKey }
  return {
    manifest,
    change: {
      changeId,
      walletId,
      epoch,
      deviceKey: browser.deviceKey,
      manifest,
      seal: { addresses, recoveryKey, sealedSeed },
      slots: [own.slot, spare.slot, ...sealed],
      ...(factors && { factors: wrapped }),
    },
    record: { ...record, next: { changeId, epoch, manifestVersion: version, ...deviceSplit } },
  }
}

type Split = {
  readonly kek: Bytes
  readonly walletId: string
  readonly changeId: string
  readonly epoch: number
  readonly recoveryKey: string
}

async function sealFor(
  device: WalletFacts['devices'][number],
  { kek, walletId, changeId, epoch, recoveryKey }: Split,
): Promise<WalletSlot> {
  const split = await makeSlot(kek, { walletId, slot: device.id, epoch, recoveryKey })
  const context = ['device share', walletId, device.id, changeId, epoch]
  const sealedDeviceShare = await hpkeSeal(device.key, split.device, context)
  wipe(split.device)
  return { ...split.slot, sealedDeviceShare }
}
