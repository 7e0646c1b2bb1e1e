import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { otherWallet, walletMove, walletRealm } from './moves.ts'
import {
  deviceId,
  epoch,
  gcmSealed,
  hpkeSealed,
  manifest,
  newFactor,
  publicKey,
  randomIdShape,
  recoveryFactor,
  sendingType,
  signature,
  walletAddresses,
  walletSeal,
  walletSlot,
} from './vaultShapes.ts'

/*
 * The vault of the wallet origin. Every body is JSON with a DPoP proof and, except for the cancel
 * link, a session of the device. Bytes are base64url without padding. Everything that belongs to
 * another user returns 404, as if it did not exist.
 */

const walletView = z.object({
  id: randomIdShape,
  epoch,
  addresses: walletAddresses,
  recoveryKey: publicKey,
  manifest,
  sealedSeed: gcmSealed,
  /** `assisted` if the operator keeps a way to the recovery key, and could sign. */
  tier: z.enum(['self-held', 'assisted']),
  factors: z.array(recoveryFactor),
  /** Devices in the manifest that no longer hold anything, if the caller requested them. */
  gone: z.optional(z.array(deviceId)),
  /**
   * How the EVM account sends ({@link sendingType}, or a newer server's type), if the caller
   * requested it. Absent if the owner has never chosen, and from older servers.
   */
  accountType: z.optional(z.string().check(z.maxLength(20))),
  /**
   * The origin of the page on which a device that holds the wallet signed in, if the caller does
   * not hold it and it has no way of recovery. Absent from older servers.
   */
  heldAt: z.optional(z.string().check(z.maxLength(300))),
  /**
   * The caller's own split: the change that created it, and the device share if another device
   * created it.
   */
  slot: z.optional(
    z.object({
      changeId: randomIdShape,
      epoch,
      sealedRecoveryShare: hpkeSealed,
      sealedDeviceShare: z.optional(hpkeSealed),
    }),
  ),
})
export type WalletView = z.infer<typeof walletView>

/**
 * `POST /api/wallet`: the user's wallet in use or the wallet in `realm`, if it exists. `pending`: a
 * creation has begun and may still be committed. With `moves`, the response has the user's other
 * wallet, and for each wallet that is no longer in use the move to its successor.
 */
export const getWalletRoute = {
  method: 'POST',
  path: '/api/wallet',
  body: z.strictObject({
    gone: z.optional(z.literal(true)),
    moves: z.optional(z.literal(true)),
    accountType: z.optional(z.literal(true)),
    realm: z.optional(walletRealm),
  }),
  result: z.object({
    userId: z.string(),
    realm: z.string(),
    deviceId,
    deviceThumb: z.string(),
    wallet: z.optional(walletView),
    pending: z.optional(
      z.object({ changeId: randomIdShape, ours: z.boolean(), secondsLeft: z.number() }),
    ),
    moves: z.optional(z.array(walletMove).check(z.maxLength(50))),
    other: z.optional(otherWallet),
  }),
} as const satisfies Route
export type VaultState = z.infer<typeof getWalletRoute.result>

/**
 * `POST /api/wallet/prepare`: first half of every change: creation (`seal`, epoch 1; LAST_FACTOR if
 * it has no factor and the server requires a factor), a new split, an approved or recovered device,
 * a rotation (`seal`, next epoch). Nothing changes before the commit. Repeating a `changeId`
 * repeats the same change. 409 if another creation was first.
 */
export const prepareWalletRoute = {
  method: 'POST',
  path: '/api/wallet/prepare',
  body: z.strictObject({
    changeId: randomIdShape,
    walletId: randomIdShape,
    epoch,
    /** Key of the calling device that its shares are sealed to. */
    deviceKey: publicKey,
    manifest,
    seal: z.optional(walletSeal),
    slots: z.array(walletSlot).check(z.minLength(1), z.maxLength(50)),
    factors: z.optional(z.array(newFactor).check(z.maxLength(10))),
    /** For a creation: how the EVM account sends. Missing from older pages. */
    accountType: z.optional(sendingType),
  }),
  result: z.object({ changeId: randomIdShape, secondsLeft: z.number() }),
} as const satisfies Route
export type WalletChange = z.infer<typeof prepareWalletRoute.body>

/**
 * `POST /api/wallet/commit`: second half. A signature of the wallet's EVM key proves that this
 * device can use the wallet.
 */
export const commitWalletRoute = {
  method: 'POST',
  path: '/api/wallet/commit',
  body: z.strictObject({ changeId: randomIdShape, signature }),
  result: z.object({ walletId: randomIdShape, epoch }),
} as const satisfies Route

/**
 * `POST /api/wallet/type`: sets how the user's EVM account `account` sends in all browsers. From a
 * device that holds its wallet. `first` only sets it if no type is stored yet. This preference is
 * not signed: an approval shows what is signed. Throws WALLET_NOT_ENROLLED, RATE_LIMITED.
 */
export const setAccountTypeRoute = {
  method: 'POST',
  path: '/api/wallet/type',
  body: z.strictObject({
    account: walletAddresses.shape.eip155,
    type: sendingType,
    first: z.optional(z.literal(true)),
  }),
  result: z.object({}),
} as const satisfies Route

const quantity = z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/))

/**
 * `POST /api/wallet/delegation/end`: the operator sends the `authorization` (EIP-7702, of the zero
 * address, only on `chainId`) that ends the account's delegation to our contract, and pays the fee
 * within its limits. From a device that holds the wallet. Throws WALLET_NOT_ENROLLED, RATE_LIMITED,
 * INSUFFICIENT_GAS if the operator does not pay, SIGNING_REFUSED for any other authorization,
 * RPC_UNAVAILABLE.
 */
export const endDelegationRoute = {
  method: 'POST',
  path: '/api/wallet/delegation/end',
  body: z.strictObject({
    chainId: z.string().check(z.regex(/^eip155:[1-9][0-9]{0,15}$/)),
    account: walletAddresses.shape.eip155,
    authorization: z.strictObject({
      address: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
      chainId: quantity,
      nonce: quantity,
      r: quantity,
      s: quantity,
      yParity: quantity,
    }),
  }),
  result: z.object({}),
} as const satisfies Route

/**
 * `POST /api/share`: the server's share of the caller's split in `realm`, or of a change not
 * committed yet, sealed to its key.
 */
export const releaseShareRoute = {
  method: 'POST',
  path: '/api/share',
  body: z.strictObject({ changeId: z.optional(randomIdShape), realm: z.optional(walletRealm) }),
  result: z.object({ changeId: randomIdShape, epoch, sealed: hpkeSealed }),
} as const satisfies Route

/**
 * `POST /api/delete`: deletes everything that the vault stores about the user, immediately and
 * permanently. Needs a recent step-up, `delete`.
 */
export const deleteVaultRoute = {
  method: 'POST',
  path: '/api/delete',
  body: z.strictObject({ confirm: z.literal('delete my wallet') }),
  result: z.object({}),
} as const satisfies Route

/** `POST /api/audit`: the events of the user's wallet, the latest first, 100 per page. */
export const listAuditRoute = {
  method: 'POST',
  path: '/api/audit',
  body: z.strictObject({ before: z.optional(z.int().check(z.positive())) }),
  result: z.object({
    entries: z.array(
      z.object({
        sequence: z.number(),
        atMs: z.number(),
        action: z.string(),
        deviceId: z.optional(z.string()),
        detail: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  }),
} as const satisfies Route
