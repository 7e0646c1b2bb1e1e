import {
  LatchkeyError,
  recoveryShares,
  releaseOperatorRecovery,
  startOperatorRecovery,
  type VaultState,
  type WalletAddresses,
  type WalletView,
} from '@latchkey/wire'
import { type Bytes, wipe } from '../crypto/bytes.ts'
import { deriveRecoveryKeyPair, hpkeOpen } from '../crypto/hpke.ts'
import { combineShares } from '../crypto/splitKey.ts'
import { getWalletCore } from '../manifest.ts'
import { quarantineError } from '../openSplit.ts'
import { settleChange } from '../settleChange.ts'
import { readState, type Vault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { browserKeys, readRecord } from '../walletRecord.ts'
import { enrolSelf, toWalletFacts } from './enrolSelf.ts'
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
