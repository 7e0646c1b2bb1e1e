import { isNewerRealm, type MoveFacts, parseMove, walletMove, walletRealm } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../keyStore.ts'
import { quarantineError } from '../openSplit.ts'
import { findRecord, readRecord } from '../walletRecord.ts'
import { isSameWallet } from './signedMove.ts'
import { addWallets, readUsed, usedWallets, writeUsed } from './usedWallets.ts'

const maxMoves = 50

const movePin = z.strictObject({
  v: z.literal(1),
  /** Of the wallet that this browser uses. */
  realm: walletRealm,
  /**
   * The moves that this browser has signed or verified, the last one last. Somebody with a copy of
   * a key can sign several from its wallet.
   */
  moves: z.array(walletMove).check(z.maxLength(maxMoves)),
  /** Of the wallet that this browser creates to move to, until it has moved. */
  fresh: z.optional(walletRealm),
  /** Where an earlier frame has stored them here. */
  used: z.optional(usedWallets),
})

/**
 * Which of the user's wallets this browser uses, and which moves and wallets it knows. The server
 * decides none of it.
 */
export type MovePin = z.infer<typeof movePin>

const pinKey = (userId: string) => `move ${userId}`

/**
 * Finds the pin; a browser that holds or has used the user's first wallet has one without having
 * stored it. Undefined in a browser that knows no wallet. Throws `WALLET_QUARANTINED` if it is
 * damaged: it never counts as missing.
 */
export async function findMovePin(store: KeyStore, userId: string): Promise<MovePin | undefined> {
  const used = await readUsed(store, userId)
  const found = await store.get(pinKey(userId))
  if (found === undefined) {
    const isKnown = used.length > 0 || (await readRecord(store, { userId, realm: 'main' }))?.current
    return isKnown && { v: 1, realm: 'main', moves: [], used: [...used] }
  }
  const { data } = movePin.safeParse(found)
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return { ...data, used: addWallets(used, data.used ?? []) }
}

/** Stores the pin, of the moves the last ones. */
export async function writeMovePin(
  store: KeyStore,
  userId: string,
  { used, ...pin }: MovePin,
): Promise<void> {
  if (used) await writeUsed(store, userId, used)
  const moves = pin.moves.slice(-maxMoves)
  await store.put(pinKey(userId), movePin.parse({ ...pin, moves }))
}

export const deleteMovePin = (store: KeyStore, userId: string): Promise<void> =>
  store.delete(pinKey(userId))

/**
 * The pin once the wallet in `realm` is used. What was created to move to is that no more if it is
 * used, or a newer one.
 */
export function pinRealm({ fresh, ...pin }: MovePin, realm: string): MovePin {
  const isPlanned = fresh !== undefined && isNewerRealm(fresh, realm)
  return { ...pin, realm, ...(isPlanned && { fresh }) }
}

type Wallet = MoveFacts['to']

/**
 * The pin that knows that wallet as one that this browser has used, in place of any other of its
 * name.
 */
export const addUsed = (pin: MovePin, { walletId, realm, addresses }: Wallet): MovePin => ({
  ...pin,
  used: addWallets([{ walletId, realm, addresses }], pin.used ?? []),
})

/**
 * The pin that also knows the wallets that this browser holds, of those that it or its moves name.
 * The same object if it knew them.
 */
export async function addHeld(store: KeyStore, userId: string, pin: MovePin): Promise<MovePin> {
  const realms = new Set(['main', pin.realm, ...findSides(pin).map((side) => side.realm)])
  let next = pin
  for (const realm of realms) {
    const record = await findRecord(store, { userId, realm })
    if (record?.current && !next.used?.some((one) => isSameWallet(one, record)))
      next = addUsed(next, record)
  }
  return next
}

/**
 * Stores the addresses of the wallets that this browser holds, unless it has them. Where it cannot,
 * the next start tries again.
 */
export async function pinUsed(store: KeyStore, userId: string): Promise<void> {
  const pin = await findMovePin(store, userId)
  if (!pin) return
  const next = await addHeld(store, userId, pin)
  if (next !== pin) await writeUsed(store, userId, next.used ?? []).catch(() => {})
}

/** The wallets that the pinned moves lead from and to, those of the last move last. */
export const findSides = ({ moves }: Pick<MovePin, 'moves'>): Wallet[] =>
  moves.map(({ text }) => parseMove(text)).flatMap(({ from, to }) => [from, to])

/**
 * The wallet in `realm` as this browser has used it, otherwise as the last pinned move names it.
 */
export const findPinned = (pin: MovePin, realm: string): Wallet | undefined =>
  pin.used?.find((one) => one.realm === realm) ?? findTarget(pin, realm)

/** The wallet that the last pinned move to `realm` leads to. */
export const findTarget = ({ moves }: Pick<MovePin, 'moves'>, realm: string) =>
  moves.map(({ text }) => parseMove(text).to).findLast((to) => to.realm === realm)
