import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { randomId, signature, walletAddresses } from './vaultShapes.ts'

/*
 * A user may have a second wallet, to move to a key that nobody else has ever seen. A move leads from the older to the newer one, once
 * and never back. Both wallets sign it, so that browsers need not believe the server which wallet follows which.
 */

/**
 * The name of a wallet among those of its user, fixed for its life: `main` for the first, `main-N`
 * for others, where a higher N is newer. Whatever vouches for a wallet (its manifest, its seal, its
 * ways of recovery) vouches for this name, and so for its age.
 */
export const walletRealm = z.string().check(z.regex(/^main(-[1-9][0-9]{0,14})?$/))

/** Whether the wallet in realm `a` is newer than the one in realm `b`. */
export const isNewerRealm = (a: string, b: string): boolean => getAge(a) > getAge(b)

const getAge = (realm: string): number => Number(realm.slice('main-'.length) || 0)

/**
 * The realm of a wallet that is created at `nowMs` beside the one in `realm`, which it is newer
 * than whatever the clock says.
 */
export const nextRealm = (realm: string, nowMs: number): string =>
  `main-${Math.max(Math.floor(nowMs / 1_000), getAge(realm) + 1)}`

/** A wallet as a move names it. */
export const movedWallet = z.strictObject({
  walletId: randomId,
  realm: walletRealm,
  addresses: walletAddresses,
})
const moveFacts = z.strictObject({
  v: z.literal(1),
  userId: z.string(),
  from: movedWallet,
  to: movedWallet,
})

/** What a move says: from now on the wallet `to` is used instead of `from`. */
export type MoveFacts = z.infer<typeof moveFacts>

/**
 * Parses a move's text. Throws if it does not lead from a wallet to a newer one with other
 * addresses.
 */
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
  /** By the wallet that is left. */
  signature,
  /** By the wallet that follows: whoever moves can use it. */
  toSignature: signature,
})
export type WalletMove = z.infer<typeof walletMove>

/** Another wallet of the user than the one that was asked for. */
export const otherWallet = z.object({
  id: randomId,
  realm: walletRealm,
  addresses: walletAddresses,
  /** The calling device holds it too. */
  isHeld: z.boolean(),
  /**
   * When it can be dropped by a browser that does not hold it, if somebody asked for that.
   * Milliseconds since 1970.
   */
  dropAtMs: z.optional(z.number()),
})
export type OtherWallet = z.infer<typeof otherWallet>

/**
 * `POST /api/wallet/move`: uses the newer wallet from now on. A device that holds both; their
 * signatures are the confirmation. Sending the same move again changes nothing, so that a server
 * that has lost it gets it again. A mail reports it. Throws WALLET_CHANGED if it is not a move from
 * the wallet in use to the user's newer one, WALLET_NOT_ENROLLED, RATE_LIMITED, COMMIT_REFUSED.
 */
export const moveWallet = {
  method: 'POST',
  path: '/api/wallet/move',
  body: z.strictObject({ move: walletMove }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/wallet/drop`: deletes everything that the vault stores of a wallet that is not in use,
 * permanently. A device that holds the one in use, after a step-up `drop ID`. A newer wallet stays
 * while another device holds it that is not removed (INVALID_PARAMS). It is dropped at once only by
 * a device that holds it; by another one a day after it has first asked (`secondsLeft`), unless
 * somebody has used or recovered that wallet meanwhile. Mails report it. A wallet that is gone
 * stays gone. Throws WALLET_CHANGED for the wallet in use, WALLET_NOT_ENROLLED, STEP_UP_NEEDED,
 * RATE_LIMITED.
 */
export const dropWallet = {
  method: 'POST',
  path: '/api/wallet/drop',
  body: z.strictObject({ walletId: randomId, confirm: z.literal('drop this wallet') }),
  result: z.object({ secondsLeft: z.number() }),
} as const satisfies Route
