import { moveFacts, type VaultState, type WalletMove } from '@latchkey/wire'
import { quarantineError } from '../openSplit.ts'
import type { Vault } from '../vault.ts'
import { readRecord, sameAddresses } from '../walletRecord.ts'
import { type MovePin, readMovePin, writeMovePin } from './movePin.ts'
import { readSignedMove } from './signedMove.ts'

/**
 * Takes over which wallet is in use. A browser that holds the one before, or has followed a move to it, follows only moves that
 * this wallet and those after it have signed, and none twice. A browser that knows no wallet believes the server, as at a first
 * login: there a way of recovery or another device vouches for the wallet. Throws `WALLET_QUARANTINED`.
 */
export async function followMoves(vault: Vault, state: VaultState): Promise<void> {
  const { userId, realm, wallet } = state
  const pin = await readMovePin(vault.store, userId)
  if (realm === pin.realm) {
    if (wallet && pin.follows && !isSame(pin.follows, wallet)) throw otherWalletError()
    return
  }
  const record = await readRecord(vault.store, { userId, realm: pin.realm })
  const known = record?.current ? record : pin.follows
  const { next, number } = pin
  const followed = known ? follow(state, { known, number }) : { number: readNumber(state) }
  await writeMovePin(vault.store, userId, { realm, ...followed, ...(next && { next }) })
}

type Known = NonNullable<MovePin['follows']>

function follow(
  { userId, realm, wallet, moves = [] }: VaultState,
  { known, number }: { readonly known: Known; readonly number: number },
): Pick<MovePin, 'number' | 'follows'> {
  const { walletId, addresses } = known
  let last = { number, follows: { walletId, addresses }, realm: '' }
  for (;;) {
    const next = findNext(moves, last)
    if (!next) break
    if (next.userId !== userId) throw otherWalletError()
    const { to } = next
    const follows = { walletId: to.walletId, addresses: to.addresses }
    last = { number: next.number, follows, realm: to.realm }
  }
  const isThere = wallet && last.realm === realm && isSame(last.follows, wallet)
  if (!isThere) throw otherWalletError()
  return { number: last.number, follows: last.follows }
}

/** The move that the last wallet has signed after all before. Its number is higher, so that following ends. */
function findNext(
  moves: readonly WalletMove[],
  { number, follows }: { readonly number: number; readonly follows: Known },
) {
  const next = moves.find((move) => {
    const facts = readUnsigned(move)
    return facts?.from.walletId === follows.walletId && facts.number > number
  })
  if (!next) return undefined
  try {
    return readSignedMove(next, follows.addresses.eip155)
  } catch (cause) {
    throw quarantineError('what the server shows is not signed by the wallet', cause)
  }
}

function readUnsigned({ text }: WalletMove) {
  try {
    return moveFacts.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

const readNumber = ({ moves = [] }: VaultState): number =>
  Math.max(0, ...moves.map((move) => readUnsigned(move)?.number ?? 0))

const isSame = (
  { walletId, addresses }: Known,
  wallet: NonNullable<VaultState['wallet']>,
): boolean => walletId === wallet.id && sameAddresses({ addresses }, wallet)

const otherWalletError = () => quarantineError('the server shows another wallet')
