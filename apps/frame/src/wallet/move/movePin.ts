import { walletAddresses, walletRealm } from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../keyStore.ts'
import { quarantineError } from '../openSplit.ts'

const movePin = z.strictObject({
  /** Of the wallet in use. */
  realm: walletRealm,
  /** Of the last move that this browser has followed; older ones never count again. */
  number: z.int().check(z.gte(0)),
  /** The wallet in use, where a move that this browser has checked leads to it. */
  follows: z.optional(z.strictObject({ walletId: z.string(), addresses: walletAddresses })),
  /** Of the wallet that this browser creates to move to. */
  next: z.optional(walletRealm),
})

/** Which wallet of a user is in use, as far as this browser knows. */
export type MovePin = z.infer<typeof movePin>

const pinKey = (userId: string) => `move ${userId}`

/** Reads the pin. Throws `WALLET_QUARANTINED` if it is damaged: it never counts as missing. */
export async function readMovePin(store: KeyStore, userId: string): Promise<MovePin> {
  const found = await store.get(pinKey(userId))
  if (found === undefined) return { realm: 'main', number: 0 }
  const { data } = movePin.safeParse(found)
  if (!data) throw quarantineError('what this browser kept cannot be read')
  return data
}

export const writeMovePin = (store: KeyStore, userId: string, pin: MovePin): Promise<void> =>
  store.put(pinKey(userId), movePin.parse(pin))
