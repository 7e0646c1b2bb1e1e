import { LatchkeyError, type MoveFacts, type VaultState, type WalletMove } from '@latchkey/wire'
import type { Vault } from '../vault.ts'
import { readRecord } from '../walletRecord.ts'
import {
  addUsed,
  deleteMovePin,
  findMovePin,
  type MovePin,
  pinRealm,
  writeMovePin,
} from './movePin.ts'
import { isSameWallet, readSignedMove } from './signedMove.ts'

/** A wallet that is brought into this browser, and what the server shows of its realm. */
export type Pinning = {
  readonly state: VaultState
  readonly wallet: MoveFacts['to']
  /** This very wallet was asked for, and not any that a way of recovery opens. */
  readonly isAsked: boolean
}

/**
 * Throws `RECOVERY_FAILED` for a wallet that may not be brought here: a newer one to which no move
 * leads is not used, so nobody sees its addresses. If it was asked for, it is brought beside the
 * one in use.
 */
export async function requireFollowed(vault: Vault, pinning: Pinning): Promise<void> {
  const pin = await findPin(vault, pinning.state)
  if (choosePin(pin, pinning) || (pin && pinning.isAsked)) return
  throw new LatchkeyError('RECOVERY_FAILED', {
    data: {
      reason:
        'the server shows no move of the account to this wallet. If you have moved to it, send nothing to the old wallet and try again later. If you have not, bring the old wallet here first, and then this one in the settings, under Move to a fresh wallet',
    },
  })
}

/**
 * Installs a wallet that this browser has just opened, and uses it, unless it is only kept for a
 * move. A browser that knows no wallet pins it before that, so that an interruption leaves it
 * nothing for a server to name. The pin goes again if nothing of the wallet was stored, so a server
 * that then refuses leaves none behind. Throws `RECOVERY_FAILED`, and what `install` throws.
 */
export async function installPinned<T>(
  vault: Vault,
  pinning: Pinning,
  install: () => Promise<T>,
): Promise<T> {
  const { store } = vault
  await requireFollowed(vault, pinning)
  const isFirst = await pinFirst(vault, pinning)
  const installed = await install().catch(async (error: unknown) => {
    const { userId } = pinning.state
    const isStored = await readRecord(store, { userId, realm: pinning.wallet.realm })
    if (isFirst && !isStored) await deleteMovePin(store, userId)
    throw error
  })
  await pinWallet(vault, pinning)
  return installed
}

/** Pins the first wallet of this browser. That it holds the user's first one is pin enough. */
async function pinFirst(vault: Vault, pinning: Pinning): Promise<boolean> {
  const { state, wallet } = pinning
  const next = choosePin(undefined, pinning)
  if (!next || wallet.realm === 'main' || (await findPin(vault, state))) return false
  await writeMovePin(vault.store, state.userId, next)
  return true
}

/**
 * Uses the wallet in this browser, which has just been brought here, unless it is only kept for a
 * move. The moves to it that both wallets have signed are known from now on. Those away from it are
 * not, unless it was asked for: whoever brings an older wallet is told that another one follows it.
 */
export async function pinWallet(vault: Vault, pinning: Pinning): Promise<void> {
  const { state, wallet } = pinning
  const pin = await findPin(vault, state)
  const chosen = choosePin(pin, pinning)
  const next = chosen && addUsed(chosen, wallet)
  if (next && JSON.stringify(next) !== JSON.stringify(pin))
    await writeMovePin(vault.store, state.userId, next)
}

/** A damaged pin is replaced: what brings the wallet here vouches for it. */
const findPin = (vault: Vault, { userId }: VaultState) =>
  findMovePin(vault.store, userId).catch(() => undefined)

/**
 * The pin with which the wallet is used: undefined if it is not the first one and no move leads to
 * it.
 */
function choosePin(
  pin: MovePin | undefined,
  { state, wallet, isAsked }: Pinning,
): MovePin | undefined {
  const { userId, moves: shown = [] } = state
  const known = (pin?.moves ?? []).filter((move) => {
    const facts = readSignedMove(move, userId)
    if (!facts || (isSameWallet(facts.from, wallet) && !isAsked)) return false
    // A move to another wallet of the same name was not the user's.
    return facts.to.realm !== wallet.realm || isSameWallet(facts.to, wallet)
  })
  const leadsHere = (move: WalletMove) => {
    const facts = readSignedMove(move, userId)
    return facts !== undefined && isSameWallet(facts.to, wallet)
  }
  const isNew = ({ text }: WalletMove) => known.every((move) => move.text !== text)
  const moves = [...known, ...shown.filter((move) => leadsHere(move) && isNew(move))]
  if (wallet.realm !== 'main' && !moves.some(leadsHere)) return undefined
  return pinRealm({ v: 1, ...pin, realm: wallet.realm, moves }, wallet.realm)
}
