import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { randomIdShape, signature, walletAddresses } from './vaultShapes.ts'

/*
 * A user may have a second wallet, to move to a key that no one else has ever had. A move leads
 * from the older to the newer wallet, once and never back. Both wallets sign it, so that browsers
 * need not trust the server about the order of the wallets.
 */

/**
 * The name of a wallet among the user's wallets, fixed for its lifetime: `main` for the first,
 * `main-N` for others; a higher N is newer. Everything that authenticates a wallet (its manifest,
 * its seal, its recovery methods) also authenticates this name, and so the wallet's age.
 */
export const walletRealm = z.string().check(z.regex(/^main(-[1-9][0-9]{0,14})?$/))

/** Whether the wallet in realm `a` is newer than the one in realm `b`. */
export const isNewerRealm = (a: string, b: string): boolean => getAge(a) > getAge(b)

const getAge = (realm: string): number => Number(realm.slice('main-'.length) || 0)

/**
 * The next realm name after `realm`, for a wallet that is created at `nowMs`. Always newer, even if
 * the clock went backwards.
 */
export const nextRealm = (realm: string, nowMs: number): string =>
  `main-${Math.max(Math.floor(nowMs / 1_000), getAge(realm) + 1)}`

/** A wallet in a move. */
export const movedWallet = z.strictObject({
  walletId: randomIdShape,
  realm: walletRealm,
  addresses: walletAddresses,
})
const moveFacts = z.strictObject({
  v: z.literal(1),
  userId: z.string(),
  from: movedWallet,
  to: movedWallet,
})

/** The content of a move: from now on the wallet `to` is used instead of `from`. */
export type MoveFacts = z.infer<typeof moveFacts>

/** Parses a move's JSON. Throws if `to` is not a newer wallet than `from`, with other addresses. */
export function parseMove(text: string): MoveFacts {
  const facts = moveFacts.parse(JSON.parse(text))
  const { from, to } = facts
  const leads =
    isNewerRealm(to.realm, from.realm) &&
    to.walletId !== from.walletId &&
    to.addresses.eip155 !== from.addresses.eip155 &&
    to.addresses.solana !== from.addresses.solana
  if (!leads) throw new Error('the move does not lead to a newer wallet')
  return facts
}

/** {@link MoveFacts} as JSON text, signed by the EVM keys of both wallets (`moveMessage`). */
export const walletMove = z.strictObject({
  text: z.string().check(z.minLength(2), z.maxLength(2_000)),
  /** Signature of the old wallet. */
  signature,
  /** Signature of the new wallet: proves that the user can use it. */
  toSignature: signature,
})
export type WalletMove = z.infer<typeof walletMove>

/** A wallet of the user other than the requested wallet. */
export const otherWallet = z.object({
  id: randomIdShape,
  realm: walletRealm,
  addresses: walletAddresses,
  /** The calling device also holds the wallet. */
  isHeld: z.boolean(),
  /**
   * When a browser that does not hold the wallet can drop it, if such a browser requested that.
   * Milliseconds since 1970.
   */
  dropAtMs: z.optional(z.number()),
})
export type OtherWallet = z.infer<typeof otherWallet>

/**
 * `POST /api/wallet/move`: uses the newer wallet from now on. From a device that holds both; their
 * signatures are the confirmation. Sending the same move again changes nothing, and restores the
 * move on a server that has lost it. A mail reports the move. Throws WALLET_CHANGED if it is not a
 * move from the wallet in use to the user's newer one, WALLET_NOT_ENROLLED, RATE_LIMITED,
 * COMMIT_REFUSED.
 */
export const moveWalletRoute = {
  method: 'POST',
  path: '/api/wallet/move',
  body: z.strictObject({ move: walletMove }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/wallet/drop`: deletes everything that the vault stores of a wallet that is not in use,
 * permanently. From a device that holds the wallet in use, after a step-up `drop ID`. A newer
 * wallet stays while another active device holds it (INVALID_PARAMS). A device that holds the
 * wallet drops it at once. Another device drops it a day after its first request (`secondsLeft`),
 * unless the wallet was used or recovered meanwhile. Mails report it. A dropped wallet cannot come
 * back. Throws WALLET_CHANGED for the wallet in use, WALLET_NOT_ENROLLED, STEP_UP_NEEDED,
 * RATE_LIMITED.
 */
export const dropWalletRoute = {
  method: 'POST',
  path: '/api/wallet/drop',
  body: z.strictObject({ walletId: randomIdShape, confirm: z.literal('drop this wallet') }),
  result: z.object({ secondsLeft: z.number() }),
} as const satisfies Route
