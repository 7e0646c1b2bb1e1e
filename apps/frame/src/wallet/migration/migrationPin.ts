import { isNewerRealm, type MoveFacts, parseMove, walletMove, walletRealm } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../keyStore.ts'
import { quarantineError } from '../openSharedSeed.ts'
import { findRecord, readRecord } from '../walletRecord.ts'
import { isSameWallet } from './signedMigration.ts'
import { addWallets, readUsed, usedWallets, writeUsed } from './usedWallets.ts'

const maxMoves = 50

const migrationPin = z.strictObject({
  v: z.literal(1),
  /** The realm of the wallet that this browser uses. */
  realm: walletRealm,
  /**
   * The moves that this browser has signed or verified, the last move last. An attacker with a copy
   * of a key can sign several moves from its wallet.
   */
  moves: z.array(walletMove).check(z.maxLength(maxMoves)),
  /** The realm of the wallet that this browser creates to move to, until it has moved. */
  fresh: z.optional(walletRealm),
  /** Present if an earlier frame has stored them here. */
  used: z.optional(usedWallets),
})

/**
 * Which of the user's wallets this browser uses, and which moves and wallets it knows. The server
 * decides none of it.
 */
export type MigrationPin = z.infer<typeof migrationPin>

const pinKey = (userId: string) => `move ${userId}`

/**
 * Finds the pin. A browser that holds or has used the user's first wallet has a pin even if none is
 * stored. Undefined in a browser without a known wallet. Throws `WALLET_QUARANTINED` if the pin is
 * damaged: it never counts as missing.
 */
export async function findMigrationPin(
  store: KeyStore,
  userId: string,
): Promise<MigrationPin | undefined> {
  const used = await readUsed(store, userId)
  const found = await store.get(pinKey(userId))
  if (found === undefined) {
    const isKnown = used.length > 0 || (await readRecord(store, { userId, realm: 'main' }))?.current
    return isKnown && { v: 1, realm: 'main', moves: [], used: [...used] }
  }
  const { data } = migrationPin.safeParse(found)
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return { ...data, used: addWallets(used, data.used ?? []) }
}

/** Stores the pin with its most recent moves. */
export async function writeMigrationPin(
  store: KeyStore,
  userId: string,
  { used, ...pin }: MigrationPin,
): Promise<void> {
  if (used) await writeUsed(store, userId, used)
  const moves = pin.moves.slice(-maxMoves)
  await store.put(pinKey(userId), migrationPin.parse({ ...pin, moves }))
}

export const deleteMigrationPin = (store: KeyStore, userId: string): Promise<void> =>
  store.delete(pinKey(userId))

/**
 * Returns the pin that uses the wallet in `realm`. A fresh wallet no longer counts as fresh once
 * it, or a newer wallet, is in use.
 */
export function pinRealm({ fresh, ...pin }: MigrationPin, realm: string): MigrationPin {
  const isPlanned = fresh !== undefined && isNewerRealm(fresh, realm)
  return { ...pin, realm, ...(isPlanned && { fresh }) }
}

type Wallet = MoveFacts['to']

/**
 * Returns the pin with that wallet added to the wallets that this browser has used, in place of any
 * other wallet in the same realm.
 */
export const addUsed = (
  pin: MigrationPin,
  { walletId, realm, addresses }: Wallet,
): MigrationPin => ({
  ...pin,
  used: addWallets([{ walletId, realm, addresses }], pin.used ?? []),
})

/**
 * Returns the pin with the wallets that this browser holds, among those that the pin or its moves
 * name. Returns the same object if it already knew them.
 */
export async function addHeld(
  store: KeyStore,
  userId: string,
  pin: MigrationPin,
): Promise<MigrationPin> {
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
 * Stores the addresses of the wallets that this browser holds, unless they are stored. If that
 * fails, the next start tries again.
 */
export async function pinUsed(store: KeyStore, userId: string): Promise<void> {
  const pin = await findMigrationPin(store, userId)
  if (!pin) return
  const next = await addHeld(store, userId, pin)
  if (next !== pin) await writeUsed(store, userId, next.used ?? []).catch(() => {})
}

/** The wallets that the pinned moves lead from and to, with the last move's wallets at the end. */
export const findSides = ({ moves }: Pick<MigrationPin, 'moves'>): Wallet[] =>
  moves.map(({ text }) => parseMove(text)).flatMap(({ from, to }) => [from, to])

/**
 * The wallet in `realm` that this browser has used, otherwise the wallet that the last pinned move
 * names.
 */
export const findPinned = (pin: MigrationPin, realm: string): Wallet | undefined =>
  pin.used?.find((one) => one.realm === realm) ?? findTarget(pin, realm)

/** The wallet that the last pinned move to `realm` leads to. */
export const findTarget = ({ moves }: Pick<MigrationPin, 'moves'>, realm: string) =>
  moves.map(({ text }) => parseMove(text).to).findLast((to) => to.realm === realm)
