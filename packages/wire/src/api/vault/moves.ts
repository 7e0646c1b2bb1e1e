import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { randomId, signature, walletAddresses } from './vaultShapes.ts'

/*
 * A user may have a second wallet, to move to a key that nobody else has ever seen. One of the two is in use. The wallet that is
 * left signs which one follows it, so that browsers that hold it can check that without the server.
 */

/** The name of a wallet among those of its user, fixed for its life: `main` for the first, `main-` and 128 random bits for others. */
export const walletRealm = z.string().check(z.regex(/^main(-[0-9a-f]{32})?$/))

/** What a move says: from now on the wallet `to` is used instead of `from`. Each move of a user has the next number. */
export const moveFacts = z.strictObject({
  v: z.literal(1),
  userId: z.string(),
  number: z.int().check(z.gte(1), z.lte(1_000_000)),
  from: z.strictObject({
    walletId: randomId,
    realm: walletRealm,
    eip155: walletAddresses.shape.eip155,
  }),
  to: z.strictObject({ walletId: randomId, realm: walletRealm, addresses: walletAddresses }),
})
export type MoveFacts = z.infer<typeof moveFacts>

/** {@link moveFacts} as JSON text, signed by the EVM keys of both wallets (`moveMessage`). */
export const walletMove = z.strictObject({
  text: z.string().check(z.minLength(2), z.maxLength(2_000)),
  /** By the wallet that is left. */
  signature,
  /** By the wallet that follows: whoever moves can use it. */
  toSignature: signature,
})
export type WalletMove = z.infer<typeof walletMove>

/** The user's wallet that is not in use. */
export const otherWallet = z.strictObject({
  id: randomId,
  realm: walletRealm,
  addresses: walletAddresses,
  /** The calling device holds it too. */
  isHeld: z.boolean(),
  /** It was created before the one in use. */
  isOlder: z.boolean(),
})
export type OtherWallet = z.infer<typeof otherWallet>

/**
 * `POST /api/wallet/move`: uses the other wallet from now on. A device that holds both, after a step-up `use ID` with the id of
 * the wallet that follows. Sending the same move again changes nothing. Throws WALLET_CHANGED if another move came first,
 * WALLET_NOT_ENROLLED, STEP_UP_NEEDED, COMMIT_REFUSED.
 */
export const moveWallet = {
  method: 'POST',
  path: '/api/wallet/move',
  body: z.strictObject({ move: walletMove }),
  result: z.strictObject({}),
} as const satisfies Route

/**
 * `POST /api/wallet/drop`: deletes everything that the vault stores of the wallet that is not in use, permanently. A device that
 * holds the one in use, and the other too if that is newer, after a step-up `drop ID`. A wallet that is gone already stays gone.
 * Throws WALLET_CHANGED for the wallet in use, WALLET_NOT_ENROLLED, STEP_UP_NEEDED.
 */
export const dropWallet = {
  method: 'POST',
  path: '/api/wallet/drop',
  body: z.strictObject({ walletId: randomId, confirm: z.literal('drop this wallet') }),
  result: z.strictObject({}),
} as const satisfies Route
