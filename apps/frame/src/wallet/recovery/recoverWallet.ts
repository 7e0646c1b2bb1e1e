import {
  getWalletRoute,
  isError,
  LatchkeyError,
  recoverySharesRoute,
  releaseOperatorRecoveryRoute,
  startOperatorRecoveryRoute,
  type VaultState,
  type WalletAddresses,
  type WalletView,
} from '@latchkey/wire'
import { type Bytes, wipe } from '../crypto/bytes.ts'
import { deriveRecoveryKeyPair, hpkeOpen } from '../crypto/hpke.ts'
import { combineShares } from '../crypto/splitKey.ts'
import { getWalletCore } from '../manifest.ts'
import { findMigrationPin } from '../migration/migrationPin.ts'
import { requireFollowed } from '../migration/pinWallet.ts'
import { openShareKey, quarantineError, wipeOpened } from '../openSharedSeed.ts'
import { resumeKeyChange } from '../resumeKeyChange.ts'
import { type WalletVault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import {
  type BrowserKeys,
  browserKeys,
  deleteRecord,
  readRecord,
  type WalletRecord,
} from '../walletRecord.ts'
import { enrollSelf, toWalletFacts } from './enrollSelf.ts'
import { type FactorSecret, unwrapFactor } from './factors.ts'
import { requirePinned } from './requirePinned.ts'

/**
 * Recovers a wallet of the user in this browser with a passkey or a kit. The factor determines the
 * wallet: without `realm`, all wallets of the user are tried. The browser uses the wallet from now
 * on, except after a move, if the factor belongs to the old wallet: then the user chooses. Throws
 * `RECOVERY_FAILED` if the factor belongs to none of them, or to a newer wallet that is not in use
 * yet, `WALLET_QUARANTINED` if the server's data is not the wallet that the factor vouches for.
 */
export const recoverWallet = (
  vault: WalletVault,
  { secret, realm }: { readonly secret: FactorSecret; readonly realm?: string | undefined },
): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    const realms = realm === undefined ? await readRealms(vault) : [realm]
    let failure: unknown
    for (const each of realms) {
      const opened = await tryFactor(vault, { secret, realm: each }).catch((error: unknown) => {
        if (!isError(error, 'RECOVERY_FAILED') && !isError(error, 'WALLET_QUARANTINED')) throw error
        failure ??= error
      })
      if (opened) return recoverWith(vault, { ...opened, isAsked: realm !== undefined })
    }
    throw failure
  })

async function tryFactor(
  vault: WalletVault,
  { secret, realm }: { readonly secret: FactorSecret; readonly realm: string },
) {
  const found = await recoverable(vault, realm)
  return { ...found, recoveryKey: await unwrap(found, secret) }
}

/**
 * Reads the realms of the user's wallets from the server. The wallet that this browser uses comes
 * first, otherwise the wallet that the server names.
 */
async function readRealms({ call, store }: WalletVault): Promise<[string, ...string[]]> {
  const { userId, realm, other } = await callVault(call, getWalletRoute, { moves: true })
  const pin = await findMigrationPin(store, userId).catch(() => undefined)
  const first = pin?.realm ?? realm
  return [first, ...[realm, ...(other ? [other.realm] : [])].filter((each) => each !== first)]
}

const unwrap = ({ state, wallet }: Recoverable, secret: FactorSecret): Promise<Bytes> => {
  const core = getWalletCore({ ...toWalletFacts(state, wallet), recoveryKey: wallet.recoveryKey })
  return unwrapFactor(secret, wallet.factors, core)
}

/**
 * Checks that a kit recovers a wallet that this browser holds, using everything that the server
 * keeps for a recovery, and changes nothing. Throws the errors of {@link recoverWallet}.
 */
export async function verifyRecoveryKit(
  vault: WalletVault,
  { record, kit }: { readonly record: WalletRecord; readonly kit: string },
): Promise<void> {
  const found = await recoverable(vault, record.realm)
  const recoveryKey = await unwrap(found, { kind: 'kit', kit })
  const { kek, epoch } = await openRecovery(vault, { ...found, recoveryKey })
  wipeOpened(await openShareKey(kek, found.wallet, { ...record, epoch }))
}

/** The wallet in use if `realm` is absent. */
type Assisted = { readonly realm?: string | undefined }

/**
 * Requests the recovery key from the operator after a login with purpose `recovery`. Works only if
 * the operator holds the key (`assisted`). A browser that knows another wallet can only recover a
 * wallet that it has pinned, and otherwise throws `RECOVERY_FAILED`.
 */
export async function startAssistedRecovery(vault: WalletVault, { realm: given }: Assisted) {
  const realm = given ?? (await readRealms(vault))[0]
  const { userId } = await setAsideDamaged(vault, realm)
  await requirePinned(vault, { userId, realm })
  return callVault(vault.call, startOperatorRecoveryRoute, { realm })
}

/** The operator's recovery. `secondsLeft`: another device holds the wallet and can still refuse. */
export const finishAssistedRecovery = (
  vault: WalletVault,
  { id, realm: given }: Assisted & { readonly id: string },
): Promise<{ secondsLeft: number } | { addresses: WalletAddresses }> =>
  withWalletLock(vault, async () => {
    const realm = given ?? (await readRealms(vault))[0]
    const { state, wallet } = await recoverable(vault, realm)
    const { id: walletId, addresses } = wallet
    const { userId } = state
    await requirePinned(vault, { userId, realm, wallet: { walletId, addresses } })
    const browser = await browserKeys(vault.store)
    const { deviceKey } = browser
    const answer = await callVault(vault.call, releaseOperatorRecoveryRoute, { id, deviceKey })
    if (answer.status === 'waiting') return { secondsLeft: answer.secondsLeft }
    const context = ['recovery key', wallet.id, state.deviceId]
    const recoveryKey = await hpkeOpen(browser.device, answer.sealed, context)
    return { addresses: await recoverWith(vault, { state, wallet, recoveryKey, isAsked: true }) }
  })

type Recoverable = { readonly state: VaultState; readonly wallet: WalletView }

async function recoverable(vault: WalletVault, realm: string): Promise<Recoverable> {
  await setAsideDamaged(vault, realm)
  const { state } = await resumeKeyChange(vault, realm)
  if (!state.wallet) throw noWallet()
  return { state, wallet: state.wallet }
}

const noWallet = () =>
  new LatchkeyError('RECOVERY_FAILED', { data: { reason: 'this account has no wallet' } })

/** An unreadable record would block recovery, so the factor vouches for the wallet instead. */
async function setAsideDamaged({ store, call }: WalletVault, realm: string): Promise<VaultState> {
  const state = await callVault(call, getWalletRoute, {})
  const owner = { userId: state.userId, realm }
  await readRecord(store, owner).catch(() => deleteRecord(store, owner))
  return state
}

type Recovering = Recoverable & { readonly recoveryKey: Bytes }

async function recoverWith(
  vault: WalletVault,
  { isAsked, ...recovering }: Recovering & { readonly isAsked: boolean },
): Promise<WalletAddresses> {
  const { state, wallet, recoveryKey } = recovering
  const { userId: _, ...facts } = toWalletFacts(state, wallet)
  const pinning = { state, wallet: facts, isAsked }
  await requireFollowed(vault, pinning).catch((error: unknown) => {
    wipe(recoveryKey)
    throw error
  })
  const opened = await openRecovery(vault, recovering)
  return enrollSelf(vault, { who: state, wallet, ...opened, pinning })
}

type OpenedRecovery = {
  readonly kek: Bytes
  readonly epoch: number
  readonly browser: BrowserKeys
}

/**
 * The key that seals the seed, from what the server keeps for a recovery. The recovery key is
 * wiped.
 */
async function openRecovery(
  vault: WalletVault,
  { state, wallet, recoveryKey }: Recovering,
): Promise<OpenedRecovery> {
  const browser = await browserKeys(vault.store)
  const { pair, publicKey } = await deriveRecoveryKeyPair(recoveryKey)
  wipe(recoveryKey)
  if (publicKey !== wallet.recoveryKey)
    throw quarantineError('the recovery key is of another wallet')
  const { deviceKey } = browser
  const { realm } = state
  const released = await callVault(vault.call, recoverySharesRoute, { deviceKey, realm })
  const context = ['share', wallet.id, 'recovery', released.epoch]
  const kek = await openShares(async () => {
    const server = await hpkeOpen(browser.device, released.sealed, context)
    const info = ['recovery share', wallet.id, 'recovery', released.epoch]
    const recovery = await hpkeOpen(pair, released.sealedRecoveryShare, info)
    return combineShares(server, recovery)
  })
  return { kek, epoch: released.epoch, browser }
}

async function openShares(open: () => Promise<Bytes>): Promise<Bytes> {
  try {
    return await open()
  } catch (cause) {
    throw quarantineError('the recovery shares were changed', cause)
  }
}
