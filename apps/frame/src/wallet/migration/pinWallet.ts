import { LatchkeyError, type MoveFacts, type VaultState, type WalletMove } from '@latchkey/wire'
import type { WalletVault } from '../vault.ts'
import { readRecord } from '../walletRecord.ts'
import {
  addUsed,
  deleteMigrationPin,
  findMigrationPin,
  type MigrationPin,
  pinRealm,
  writeMigrationPin,
} from './migrationPin.ts'
import { isSameWallet, readSignedMigration } from './signedMigration.ts'

/** A wallet that is brought into this browser, and what the server shows of its realm. */
export type Pinning = {
  readonly state: VaultState
  readonly wallet: MoveFacts['to']
  /** The user requested exactly this wallet, and not any wallet that a recovery opens. */
  readonly isAsked: boolean
}

/**
 * Throws `RECOVERY_FAILED` for a wallet that may not be brought here: a newer wallet to which no
 * move leads is not used, so its addresses stay hidden. If the user requested it, it is stored in
 * addition to the wallet in use.
 */
export async function requireFollowed(vault: WalletVault, pinning: Pinning): Promise<void> {
  const pin = await findPin(vault, pinning.state)
  if (choosePin(pin, pinning) || (pin && pinning.isAsked)) return
  throw new LatchkeyError('RECOVERY_FAILED', {
    data: {
      reason:
        'the server shows no move of the account to this wallet. If you have moved to it, send nothing to the old wallet and try again later. If you have not, bring the old wallet here first, and then this one in the settings, under Replace this wallet',
    },
  })
}

/**
 * Installs a wallet that this browser has just opened, and uses it, unless it is only kept for a
 * move. A browser without a known wallet pins it first, so that an interruption leaves a server
 * nothing to name. The pin is removed if nothing of the wallet was stored, so a server that refuses
 * afterwards leaves no pin behind. Throws `RECOVERY_FAILED`, and the errors of `install`.
 */
export async function installPinned<T>(
  vault: WalletVault,
  pinning: Pinning,
  install: () => Promise<T>,
): Promise<T> {
  const { store } = vault
  await requireFollowed(vault, pinning)
  const isFirst = await pinFirst(vault, pinning)
  const installed = await install().catch(async (error: unknown) => {
    const { userId } = pinning.state
    const isStored = await readRecord(store, { userId, realm: pinning.wallet.realm })
    if (isFirst && !isStored) await deleteMigrationPin(store, userId)
    throw error
  })
  await pinWallet(vault, pinning)
  return installed
}

/**
 * Pins the first wallet of this browser. A browser that holds the user's first wallet needs no
 * other pin.
 */
async function pinFirst(vault: WalletVault, pinning: Pinning): Promise<boolean> {
  const { state, wallet } = pinning
  const next = choosePin(undefined, pinning)
  if (!next || wallet.realm === 'main' || (await findPin(vault, state))) return false
  await writeMigrationPin(vault.store, state.userId, next)
  return true
}

/**
 * Uses the wallet that was just brought into this browser, unless it is only kept for a move. The
 * moves to it that both wallets have signed are known from now on. The moves away from it are not,
 * unless the user requested it: the frame notifies a user who brings an older wallet about its
 * successor.
 */
export async function pinWallet(vault: WalletVault, pinning: Pinning): Promise<void> {
  const { state, wallet } = pinning
  const pin = await findPin(vault, state)
  const chosen = choosePin(pin, pinning)
  const next = chosen && addUsed(chosen, wallet)
  if (next && JSON.stringify(next) !== JSON.stringify(pin))
    await writeMigrationPin(vault.store, state.userId, next)
}

/** A damaged pin is replaced: the recovery or device that brings the wallet here vouches for it. */
const findPin = (vault: WalletVault, { userId }: VaultState) =>
  findMigrationPin(vault.store, userId).catch(() => undefined)

/**
 * Chooses the pin with which the wallet is used: undefined if it is not the first wallet and no
 * move leads to it.
 */
function choosePin(
  pin: MigrationPin | undefined,
  { state, wallet, isAsked }: Pinning,
): MigrationPin | undefined {
  const { userId, moves: shown = [] } = state
  const known = (pin?.moves ?? []).filter((move) => {
    const facts = readSignedMigration(move, userId)
    if (!facts || (isSameWallet(facts.from, wallet) && !isAsked)) return false
    // A move to another wallet in the same realm did not come from the user.
    return facts.to.realm !== wallet.realm || isSameWallet(facts.to, wallet)
  })
  const leadsHere = (move: WalletMove) => {
    const facts = readSignedMigration(move, userId)
    return facts !== undefined && isSameWallet(facts.to, wallet)
  }
  const isNew = ({ text }: WalletMove) => known.every((move) => move.text !== text)
  const moves = [...known, ...shown.filter((move) => leadsHere(move) && isNew(move))]
  if (wallet.realm !== 'main' && !moves.some(leadsHere)) return undefined
  return pinRealm({ v: 1, ...pin, realm: wallet.realm, moves }, wallet.realm)
}
