import {
  isError,
  LatchkeyError,
  type Manifest,
  revokeDeviceRoute,
  signDevicesRoute,
} from '@latchkey/wire'
import { signManifest, type WalletFacts } from './manifest.ts'
import { openWallet } from './openWallet.ts'
import { pinRemoved, pinVersion, readManifestFacts } from './readFacts.ts'
import { readWalletState } from './readState.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from './vault.ts'
import { callVault } from './vaultServer.ts'

const maxRounds = 3

/**
 * Removes a device: in one transaction, the server deletes its share and sessions and stores the
 * device list without it, which is signed here. A wallet that cannot be opened now still removes
 * the device; the list is then signed when the wallet is next opened.
 */
export const revokeWalletDevice = (
  vault: WalletVault,
  who: VaultIdentity,
  id: string,
): Promise<void> =>
  withWalletLock(vault, async () => {
    await revoke(vault, who, id)
    await pinRemoved(vault, who.userId, id)
  })

async function revoke(vault: WalletVault, who: VaultIdentity, id: string): Promise<void> {
  for (let round = 1; ; round++)
    try {
      const isLast = round === maxRounds
      const signed = isLast ? undefined : await signList(vault, who, id).catch(() => undefined)
      const { manifest } = signed ?? {}
      await callVault(vault.call, revokeDeviceRoute, { id, ...(manifest && { manifest }) })
      if (signed) await pinVersion(vault, signed, signed.facts)
      return
    } catch (error) {
      // Another device has changed the wallet meanwhile, so the list is signed again.
      if (!isError(error, 'WALLET_CHANGED') || round === maxRounds) throw error
    }
}

/** Signs a corrected list if it still names devices that are gone. */
export async function correctDevices(vault: WalletVault, who: VaultIdentity): Promise<void> {
  const signed = await signList(vault, who)
  await callVault(vault.call, signDevicesRoute, { manifest: signed.manifest })
  await pinVersion(vault, signed, signed.facts)
}

type SignedList = {
  /** Of the wallet. */
  readonly id: string
  readonly manifest: Manifest
  readonly facts: WalletFacts
}

async function signList(
  vault: WalletVault,
  who: VaultIdentity,
  without?: string,
): Promise<SignedList> {
  return openWallet(vault, who, async ({ keys, record, deviceSplit }) => {
    // Read while the key is open, because a rotation that was adopted on the way has its own list.
    const { wallet } = await readWalletState(vault, who.realm)
    if (!wallet) throw new LatchkeyError('WALLET_CHANGED')
    const known = await readManifestFacts(vault, { wallet, record, deviceSplit })
    const devices = known.devices.filter((device) => device.id !== without)
    const facts = { ...known, version: known.version + 1, devices }
    return { id: wallet.id, manifest: signManifest(facts, keys.eip155), facts }
  })
}
