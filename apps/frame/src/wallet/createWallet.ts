import { LatchkeyError, type WalletAddresses, type WalletSlot } from '@latchkey/wire'
import { commitKeyChange } from './commitKeyChange.ts'
import { createRandomId, randomBytes, toBase64Url, wipe } from './crypto/bytes.ts'
import { deriveAccounts } from './crypto/deriveAccounts.ts'
import { deriveRecoveryKeyPair, hpkeSeal } from './crypto/hpke.ts'
import { splitKey } from './crypto/splitKey.ts'
import { getWalletCore, signManifest } from './manifest.ts'
import { pinUsed } from './migration/migrationPin.ts'
import { quarantineError } from './openSharedSeed.ts'
import { type FactorSetup, isAmong, wrapFactor } from './recovery/factors.ts'
import { resumeKeyChange } from './resumeKeyChange.ts'
import { sealSeed } from './sealSeed.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from './vault.ts'
import { browserKeys, wrapShare } from './walletRecord.ts'

/** `isIncomplete`: the wallet was there before and lacks some of the requested factors. */
type CreatedWallet = { readonly addresses: WalletAddresses; readonly isIncomplete?: true }

/**
 * Creates the user's wallet, or finishes an interrupted creation, and returns its addresses once
 * this device holds its share and the server has committed. Without `factors`, the wallet is lost
 * with this device until a factor is added: its recovery key is only in the sealed seed. Throws
 * `LAST_FACTOR` if the server requires a factor. If the user already has a wallet, returns its
 * addresses, and whether it lacks any of `factors`. Throws `WALLET_NOT_ENROLLED` if this browser
 * does not hold it, `WALLET_EXISTS` while another browser is creating it.
 */
export const createEmbeddedWallet = (
  vault: WalletVault,
  { factors }: { readonly factors: readonly FactorSetup[] },
): Promise<CreatedWallet> =>
  withWalletLock(vault, async () => {
    const { state, record } = await resumeKeyChange(vault)
    if (record?.current) {
      // Another tab has made it, or an earlier attempt with other factors.
      const core = getWalletCore({ ...record, recoveryKey: record.current.recoveryKey })
      const known = state.wallet?.factors ?? []
      const isUsed = await Promise.all(factors.map((factor) => isAmong(factor, known, core)))
      const { addresses } = record
      return { addresses, ...(isUsed.includes(false) && { isIncomplete: true as const }) }
    }
    if (state.wallet) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    // Only a move can name a wallet other than the first.
    if (state.realm !== 'main')
      throw quarantineError('the server names another wallet than the first')
    const addresses = await makeWallet(vault, { who: state, factors })
    await pinUsed(vault.store, state.userId)
    return { addresses }
  })

/** The parameters of a creation: `who.realm` names the new wallet. */
type MakeWalletParameters = {
  readonly who: VaultIdentity
  readonly factors: readonly FactorSetup[]
}

/** Makes a new wallet within the wallet lock, as {@link createEmbeddedWallet} does. */
export async function makeWallet(
  vault: WalletVault,
  { who, factors }: MakeWalletParameters,
): Promise<WalletAddresses> {
  const browser = await browserKeys(vault.store)
  const secrets = { seed: randomBytes(32), recoveryKey: randomBytes(32) }
  const kek = randomBytes(32)
  const { keys, addresses } = await deriveAccounts(secrets.seed)
  const { publicKey: recoveryKey } = await deriveRecoveryKeyPair(secrets.recoveryKey)
  const { userId, realm } = who
  const place = { walletId: createRandomId(), userId, realm }
  const changeId = createRandomId()
  const epoch = 1
  const facts = { ...place, addresses, recoveryKey }
  const sealedSeed = await sealSeed(kek, secrets, { ...place, addresses, epoch })
  const own = await makeSlot(kek, { ...place, slot: who.deviceId, epoch, recoveryKey })
  const spare = await makeSlot(kek, { ...place, slot: 'recovery', epoch, recoveryKey })
  const manifest = signManifest(
    { v: 1, ...facts, epoch, version: 1, devices: [{ id: who.deviceId, key: browser.deviceKey }] },
    keys.eip155,
  )
  const core = getWalletCore(facts)
  const wrapped = await Promise.all(
    factors.map((factor) => wrapFactor(factor, secrets.recoveryKey, core)),
  )
  const wrappedShare = await wrapShare(own.device, { keys: browser, ...place, changeId, epoch })
  wipe(kek, secrets.seed, secrets.recoveryKey, keys.eip155, keys.solana, own.device, spare.device)
  const record = await commitKeyChange(vault, {
    who,
    manifest,
    change: {
      changeId,
      walletId: place.walletId,
      epoch,
      deviceKey: browser.deviceKey,
      manifest,
      seal: { addresses, recoveryKey, sealedSeed },
      slots: [own.slot, spare.slot],
      factors: wrapped,
      // For existing wallets, the owner decides first.
      accountType: 'smartAccount',
    },
    record: {
      v: 1,
      ...place,
      addresses,
      next: {
        changeId,
        epoch,
        manifestVersion: 1,
        wrappedShare,
        sealedSeed,
        sealedRecoveryShare: own.slot.sealedRecoveryShare,
        recoveryKey,
      },
    },
  })
  return record.addresses
}

type Slot = {
  readonly walletId: string
  readonly slot: string
  readonly epoch: number
  readonly recoveryKey: string
}

/**
 * Makes a new split for one slot: the part that the server stores, and the device's share, which
 * the caller wipes.
 */
export async function makeSlot(
  kek: Uint8Array<ArrayBuffer>,
  { walletId, slot, epoch, recoveryKey }: Slot,
): Promise<{ device: Uint8Array<ArrayBuffer>; slot: WalletSlot }> {
  const { device, server, recovery } = await splitKey(kek)
  const sealedRecoveryShare = await hpkeSeal(recoveryKey, recovery, [
    'recovery share',
    walletId,
    slot,
    epoch,
  ])
  const share = toBase64Url(server)
  wipe(server, recovery)
  return { device, slot: { slot, share, sealedRecoveryShare } }
}
