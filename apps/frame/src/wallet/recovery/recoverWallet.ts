import {
  LatchkeyError,
  recoveryShares,
  releaseOperatorRecovery,
  startOperatorRecovery,
  type VaultState,
  type WalletAddresses,
  type WalletView,
} from '@latchkey/wire'
import { makeSlot } from '../createWallet.ts'
import { type Bytes, randomId, wipe } from '../crypto/bytes.ts'
import { deriveRecoveryKeyPair, hpkeOpen } from '../crypto/hpke.ts'
import { combineShares } from '../crypto/splitKey.ts'
import { installChange } from '../installChange.ts'
import { getWalletCore, readManifest, signManifest, type WalletFacts } from '../manifest.ts'
import { openKey, quarantineError, wipeOpened } from '../openSplit.ts'
import { forgetVersion } from '../readFacts.ts'
import { settleChange } from '../settleChange.ts'
import { type Identity, readState, type Vault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { type BrowserKeys, browserKeys, readRecord, wrapShare } from '../walletRecord.ts'
import { type FactorSecret, unwrapFactor } from './factors.ts'

/**
 * Recovers the user's wallet in this browser with a passkey or a kit. Throws `RECOVERY_FAILED` if the factor belongs
 * to another wallet, `WALLET_QUARANTINED` if the server's data is not the wallet that the factor vouches for.
 */
export const recoverWallet = (
  vault: Vault,
  { secret }: { readonly secret: FactorSecret },
): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    const { state, wallet } = await recoverable(vault)
    const core = getWalletCore({ ...toWalletFacts(state, wallet), recoveryKey: wallet.recoveryKey })
    const recoveryKey = await unwrapFactor(secret, wallet.factors, core)
    return recoverWith(vault, { state, wallet, recoveryKey })
  })

/**
 * Asks the operator for the recovery key after a login with purpose `recovery`. Only if the operator holds it
 * (`assisted`).
 */
export const startAssistedRecovery = (vault: Vault) =>
  callVault(vault.call, startOperatorRecovery, {})

/** The operator's recovery. `secondsLeft`: another device holds the wallet and can still refuse. */
export const finishAssistedRecovery = (
  vault: Vault,
  { id }: { readonly id: string },
): Promise<{ secondsLeft: number } | { addresses: WalletAddresses }> =>
  withWalletLock(vault, async () => {
    const { state, wallet } = await recoverable(vault)
    const browser = await browserKeys(vault.store)
    const { deviceKey } = browser
    const answer = await callVault(vault.call, releaseOperatorRecovery, { id, deviceKey })
    if (answer.status === 'waiting') return { secondsLeft: answer.secondsLeft }
    const context = ['recovery key', wallet.id, state.deviceId]
    const recoveryKey = await hpkeOpen(browser.device, answer.sealed, context)
    return { addresses: await recoverWith(vault, { state, wallet, recoveryKey }) }
  })

async function recoverable(vault: Vault): Promise<{ state: VaultState; wallet: WalletView }> {
  await setAsideDamaged(vault)
  const { state } = await settleChange(vault)
  if (!state.wallet)
    throw new LatchkeyError('RECOVERY_FAILED', { data: { reason: 'this account has no wallet' } })
  return { state, wallet: state.wallet }
}

/** An unreadable record would block recovery, so the factor vouches for the wallet instead. */
async function setAsideDamaged(vault: Vault): Promise<void> {
  const { userId } = await readState(vault)
  const readable = await readRecord(vault.store, userId).then(
    () => true,
    () => false,
  )
  if (!readable) await vault.store.delete(`wallet ${userId}`)
}

type Recovering = {
  readonly state: VaultState
  readonly wallet: WalletView
  readonly recoveryKey: Bytes
}

async function recoverWith(
  vault: Vault,
  { state, wallet, recoveryKey }: Recovering,
): Promise<WalletAddresses> {
  const browser = await browserKeys(vault.store)
  const { pair, publicKey } = await deriveRecoveryKeyPair(recoveryKey)
  wipe(recoveryKey)
  if (publicKey !== wallet.recoveryKey)
    throw quarantineError('the recovery key is of another wallet')
  const released = await callVault(vault.call, recoveryShares, { deviceKey: browser.deviceKey })
  const context = ['share', wallet.id, 'recovery', released.epoch]
  const kek = await openShares(async () => {
    const server = await hpkeOpen(browser.device, released.sealed, context)
    const info = ['recovery share', wallet.id, 'recovery', released.epoch]
    const recovery = await hpkeOpen(pair, released.sealedRecoveryShare, info)
    return combineShares(server, recovery)
  })
  return enrolSelf(vault, { who: state, wallet, browser, kek, epoch: released.epoch })
}

async function openShares(open: () => Promise<Bytes>): Promise<Bytes> {
  try {
    return await open()
  } catch (cause) {
    throw quarantineError('the recovery shares were changed', cause)
  }
}

type Enrolling = {
  readonly who: Identity
  readonly wallet: WalletView
  readonly browser: BrowserKeys
  readonly kek: Bytes
  readonly epoch: number
}

/** Makes a split for this device from the recovered key. */
async function enrolSelf(
  vault: Vault,
  { who, wallet, browser, kek, epoch }: Enrolling,
): Promise<WalletAddresses> {
  const facts = toWalletFacts(who, wallet)
  const { addresses, recoveryKey } = wallet
  const opened = await openKey(kek, wallet, { ...facts, epoch })
  const pinned = await readRecord(vault.store, who.userId)
  if (pinned && pinned.addresses.eip155 !== addresses.eip155)
    throw quarantineError('this browser knows the wallet by another address')
  const known = readSigned(wallet, epoch)
  await forgetVersion(vault, wallet.id)
  const changeId = randomId()
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
  const record = await installChange(vault, {
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
    const facts = readManifest(wallet.manifest, wallet.addresses.eip155)
    const goneIds = new Set(wallet.gone)
    if (facts.epoch === epoch && facts.walletId === wallet.id)
      return { ...facts, devices: facts.devices.filter(({ id }) => !goneIds.has(id)) }
  } catch (cause) {
    throw quarantineError('the manifest is not signed by the wallet', cause)
  }
  throw quarantineError('the manifest is of another epoch')
}

const toWalletFacts = (who: Pick<Identity, 'userId' | 'realm'>, wallet: WalletView) => ({
  walletId: wallet.id,
  userId: who.userId,
  realm: who.realm,
  addresses: wallet.addresses,
})
