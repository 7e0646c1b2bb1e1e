import { type MoveFacts, parseMove, type VaultState, type WalletMove } from '@latchkey/wire'
import type { Vault } from '../vault.ts'
import { readRecord } from '../walletRecord.ts'
import { findMovePin, findTarget, type MovePin, writeMovePin } from './movePin.ts'
import { isSameWallet, readSignedMove } from './signedMove.ts'

/**
 * Follows the moves that lead on from the wallet that this browser uses, if both wallets have signed them, and returns what it has
 * pinned then. A wallet that it has followed a move away from once and chose again stays in use. Anything else that the server shows
 * changes nothing. Undefined in a browser that knows no wallet: there, a way of recovery or another device
 * says which wallet it is. Throws `WALLET_QUARANTINED` if what was pinned is damaged.
 */
export async function followMoves(vault: Vault, shown: VaultState): Promise<MovePin | undefined> {
  const pin = await findMovePin(vault.store, shown.userId)
  if (!pin) return undefined
  let at = pin
  for (;;) {
    const next = await findNext(vault, { pin: at, shown })
    if (!next) break
    // Each move leads to a newer wallet, so following ends.
    const { move, realm } = next
    at = { ...at, realm, moves: [...at.moves, move] }
  }
  if (at !== pin) await writeMovePin(vault.store, shown.userId, at)
  return at
}

type Following = { readonly pin: MovePin; readonly shown: VaultState }
type Next = { readonly move: WalletMove; readonly realm: string }

async function findNext(vault: Vault, { pin, shown }: Following): Promise<Next | undefined> {
  const { userId, moves = [] } = shown
  const record = await readRecord(vault.store, { userId, realm: pin.realm })
  const from = record?.current ? record : findTarget(pin, pin.realm)
  if (!from) return undefined
  const isFrom = ({ text }: WalletMove) => {
    try {
      return isSameWallet(parseMove(text).from, from)
    } catch {
      return false
    }
  }
  // Left once already, and chosen again since.
  if (pin.moves.some(isFrom)) return undefined
  for (const move of moves.filter(isFrom)) {
    const facts = readSignedMove(move, userId)
    if (facts && (await agreesWithOwn(vault, { pin, facts })))
      return { move, realm: facts.to.realm }
  }
  return undefined
}

/** A browser that has created a wallet to move to follows no move to another one, which somebody with a copy of the key may have signed. */
async function agreesWithOwn(
  { store }: Vault,
  { pin, facts }: { readonly pin: MovePin; readonly facts: MoveFacts },
): Promise<boolean> {
  if (pin.fresh === undefined) return true
  const { userId, to } = facts
  const own = await readRecord(store, { userId, realm: pin.fresh })
  return !own?.current || isSameWallet(own, to)
}
