import {
  isNewerRealm,
  type MoveFacts,
  parseMove,
  type VaultState,
  type WalletMove,
} from '@latchkey/wire'
import type { WalletVault } from '../vault.ts'
import { findRecord, readRecord } from '../walletRecord.ts'
import {
  addHeld,
  findMigrationPin,
  findPinned,
  type MigrationPin,
  pinRealm,
  writeMigrationPin,
} from './migrationPin.ts'
import { isSameWallet, readSignedMigration } from './signedMigration.ts'

/**
 * Follows the moves that lead on from the wallet that this browser uses, if both wallets have
 * signed them, and returns the resulting pin. After a followed move, a wallet that the user chose
 * again stays in use; another move from it prompts again. Anything else that the server shows
 * changes nothing. Undefined in a browser without a pinned wallet: there, a recovery or another
 * device determines which wallet it is.
 */
export async function followMigrations(
  vault: WalletVault,
  shown: VaultState,
): Promise<MigrationPin | undefined> {
  const pin = await findMigrationPin(vault.store, shown.userId)
  if (!pin) return undefined
  // The wallet that is left stays known, so that its successor never counts as this browser's first
  // wallet.
  const known = await addHeld(vault.store, shown.userId, pin)
  let at = known
  for (;;) {
    const next = await findNext(vault, { pin: at, shown })
    if (!next) break
    // Each move leads to a newer wallet, so following ends.
    const { move, realm } = next
    at = pinRealm({ ...at, moves: [...at.moves, move] }, realm)
  }
  if (at !== known) await writeMigrationPin(vault.store, shown.userId, at)
  return at
}

type Following = { readonly pin: MigrationPin; readonly shown: VaultState }
type Next = { readonly move: WalletMove; readonly realm: string }

async function findNext(vault: WalletVault, { pin, shown }: Following): Promise<Next | undefined> {
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
    const facts = readSignedMigration(move, userId)
    if (facts && (await agreesWithOwn(vault, { pin, shown, facts })))
      return { move, realm: facts.to.realm }
  }
  return undefined
}

type Agreeing = Following & { readonly facts: MoveFacts }

/**
 * An attacker with a copy of the key may have signed a move to a wallet other than the user's fresh
 * wallet. This browser does not follow a move into a realm for which it holds, or has used, another
 * wallet, nor past the fresh wallet that it has created and that still exists. An honest server
 * never has both.
 */
async function agreesWithOwn(
  { store }: WalletVault,
  { pin, shown, facts }: Agreeing,
): Promise<boolean> {
  const { userId, to } = facts
  const held = await findRecord(store, { userId, realm: to.realm })
  const known = held?.current ? held : pin.used?.find(({ realm }) => realm === to.realm)
  if (known && !isSameWallet(known, to)) return false
  const { fresh } = pin
  if (fresh === undefined || !isNewerRealm(fresh, pin.realm)) return true
  const own = await findRecord(store, { userId, realm: fresh })
  if (!own?.current || isSameWallet(own, to)) return true
  // It was dropped elsewhere, or the server lies: the user is prompted, as in any other
  // browser.
  return shown.other?.id !== own.walletId && shown.wallet?.id !== own.walletId
}
