import {
  isNewerRealm,
  type MoveFacts,
  parseMove,
  type VaultState,
  type WalletMove,
} from '@latchkey/wire'
import type { Vault } from '../vault.ts'
import { findRecord, readRecord } from '../walletRecord.ts'
import {
  addHeld,
  findMovePin,
  findPinned,
  type MovePin,
  pinRealm,
  writeMovePin,
} from './movePin.ts'
import { isSameWallet, readSignedMove } from './signedMove.ts'

/**
 * Follows the moves that lead on from the wallet that this browser uses, if both wallets have
 * signed them, and returns what it has pinned then. After a move that it has followed once, a
 * wallet that was chosen again stays in use; another move from it asks again. Anything else that
 * the server shows changes nothing. Undefined in a browser that knows no wallet: there, a way of
 * recovery or another device says which wallet it is. Throws `WALLET_QUARANTINED` if what was
 * pinned is damaged.
 */
export async function followMoves(vault: Vault, shown: VaultState): Promise<MovePin | undefined> {
  const pin = await findMovePin(vault.store, shown.userId)
  if (!pin) return undefined
  // What is left stays known, so that nothing takes the wallet that follows for the first one of
  // this browser.
  const known = await addHeld(vault.store, shown.userId, pin)
  let at = known
  for (;;) {
    const next = await findNext(vault, { pin: at, shown })
    if (!next) break
    // Each move leads to a newer wallet, so following ends.
    const { move, realm } = next
    at = pinRealm({ ...at, moves: [...at.moves, move] }, realm)
  }
  if (at !== known) await writeMovePin(vault.store, shown.userId, at)
  return at
}

type Following = { readonly pin: MovePin; readonly shown: VaultState }
type Next = { readonly move: WalletMove; readonly realm: string }

async function findNext(vault: Vault, { pin, shown }: Following): Promise<Next | undefined> {
  const { userId, moves = [] } = shown
  const record = await readRecord(vault.store, { userId, realm: pin.realm })
  const from = record?.current ? record : findPinned(pin, pin.realm)
  if (!from) return undefined
  const isFrom = ({ text }: WalletMove) => {
    try {
      return isSameWallet(parseMove(text).from, from)
    } catch {
      return false
    }
  }
  // Followed once already, and the wallet was chosen again since.
  const known = new Set(pin.moves.map(({ text }) => text))
  for (const move of moves.filter((each) => isFrom(each) && !known.has(each.text))) {
    const facts = readSignedMove(move, userId)
    if (facts && (await agreesWithOwn(vault, { pin, shown, facts })))
      return { move, realm: facts.to.realm }
  }
  return undefined
}

type Agreeing = Following & { readonly facts: MoveFacts }

/**
 * Somebody with a copy of the key may have signed a move to another wallet than the user's fresh
 * one. This browser follows none to a place where it holds, or has used, another wallet, and none
 * past the fresh wallet that it has created and that is still there. No honest server has both.
 */
async function agreesWithOwn({ store }: Vault, { pin, shown, facts }: Agreeing): Promise<boolean> {
  const { userId, to } = facts
  const held = await findRecord(store, { userId, realm: to.realm })
  const known = held?.current ? held : pin.used?.find(({ realm }) => realm === to.realm)
  if (known && !isSameWallet(known, to)) return false
  const { fresh } = pin
  if (fresh === undefined || !isNewerRealm(fresh, pin.realm)) return true
  const own = await findRecord(store, { userId, realm: fresh })
  if (!own?.current || isSameWallet(own, to)) return true
  // It was dropped elsewhere, or the server says so: its user is asked, as in any other browser.
  return shown.other?.id !== own.walletId && shown.wallet?.id !== own.walletId
}
