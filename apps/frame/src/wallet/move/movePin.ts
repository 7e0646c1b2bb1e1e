import { isNewerRealm, parseMove, walletMove, walletRealm } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../keyStore.ts'
import { quarantineError } from '../openSplit.ts'
import { readRecord } from '../walletRecord.ts'

const maxMoves = 50

const movePin = z.strictObject({
  v: z.literal(1),
  /** Of the wallet that this browser uses. */
  realm: walletRealm,
  /** The moves that this browser has signed or verified, the last one last. Somebody with a copy of a key can sign several from its wallet. */
  moves: z.array(walletMove).check(z.maxLength(maxMoves)),
  /** Of the wallet that this browser creates to move to, until it has moved. */
  fresh: z.optional(walletRealm),
})

/** Which of the user's wallets this browser uses, and which moves it knows. The server never decides either. */
export type MovePin = z.infer<typeof movePin>

const pinKey = (userId: string) => `move ${userId}`

/**
 * Finds the pin; a browser that holds the user's first wallet has one without having stored it. Undefined in a browser that knows no
 * wallet. Throws `WALLET_QUARANTINED` if it is damaged: it never counts as missing.
 */
export async function findMovePin(store: KeyStore, userId: string): Promise<MovePin | undefined> {
  const found = await store.get(pinKey(userId))
  if (found === undefined) {
    const first = await readRecord(store, { userId, realm: 'main' })
    return first?.current && { v: 1, realm: 'main', moves: [] }
  }
  const { data } = movePin.safeParse(found)
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return data
}

/** Stores the pin, of the moves the last ones. */
export const writeMovePin = (store: KeyStore, userId: string, pin: MovePin): Promise<void> =>
  store.put(pinKey(userId), movePin.parse({ ...pin, moves: pin.moves.slice(-maxMoves) }))

/** The pin once the wallet in `realm` is used. What was created to move to is that no more if it is used, or a newer one. */
export function pinRealm({ fresh, ...pin }: MovePin, realm: string): MovePin {
  const isPlanned = fresh !== undefined && isNewerRealm(fresh, realm)
  return { ...pin, realm, ...(isPlanned && { fresh }) }
}

/** The wallet that the last pinned move to `realm` leads to. */
export const findTarget = ({ moves }: Pick<MovePin, 'moves'>, realm: string) =>
  moves.map(({ text }) => parseMove(text).to).findLast((to) => to.realm === realm)
