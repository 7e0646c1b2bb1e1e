import type { WalletAddresses } from '@latchkey/wire'
import { commitKeyChange } from '../commitKeyChange.ts'
import { makeSlot } from '../createWallet.ts'
import { createRandomId, wipe } from '../crypto/bytes.ts'
import { signManifest } from '../manifest.ts'
import { quarantineError } from '../openSharedSeed.ts'
import { openWallet } from '../openWallet.ts'
import { readManifestFacts } from '../readFacts.ts'
import { withDevice } from '../recovery/enrollSelf.ts'
import { resumeKeyChange } from '../resumeKeyChange.ts'
import { type WalletVault, withWalletLock } from '../vault.ts'
import { browserKeys, wrapShare } from '../walletRecord.ts'

/**
 * Makes a new split of the same key for this device, so that an old copy of its share becomes
 * useless.
 */
export const reshareKey = (vault: WalletVault): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    const { state } = await resumeKeyChange(vault)
    const browser = await browserKeys(vault.store)
    const newSplit = await openWallet(vault, state, async ({ kek, keys, deviceSplit, record }) => {
      const { walletId, userId, realm } = record
      const { epoch, recoveryKey, sealedSeed } = deviceSplit
      if (!state.wallet) throw quarantineError('the server does not know the wallet')
      const signed = await readManifestFacts(vault, { wallet: state.wallet, record, deviceSplit })
      const changeId = createRandomId()
      const { deviceId: slotId } = state
      const { device, slot } = await makeSlot(kek, { walletId, slot: slotId, epoch, recoveryKey })
      const { deviceKey } = browser
      const manifest = signManifest(withDevice(signed, slotId, deviceKey), keys.eip155)
      const place = { walletId, userId, realm }
      const wrappedShare = await wrapShare(device, { keys: browser, ...place, changeId, epoch })
      wipe(device)
      const { sealedRecoveryShare } = slot
      const next = { changeId, epoch, manifestVersion: signed.version + 1, wrappedShare }
      return {
        manifest,
        change: { changeId, walletId, epoch, deviceKey, manifest, slots: [slot] },
        record: { ...record, next: { ...next, sealedSeed, sealedRecoveryShare, recoveryKey } },
      }
    })
    return (await commitKeyChange(vault, { who: state, ...newSplit })).addresses
  })
