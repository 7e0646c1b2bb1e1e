import * as z from 'zod/mini'
import type { Route } from './route.ts'

/*
 * The vault of the wallet origin. Every body is JSON with a DPoP proof and, but for the cancel link, a session of the
 * device. Bytes are base64url without padding. What another user owns answers 404 as what never was.
 */

const bytesOf = (min: number, max: number) =>
  z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_-]*$/),
      z.minLength(Math.ceil((min * 4) / 3)),
      z.maxLength(Math.ceil((max * 4) / 3)),
    )
const bytes32 = bytesOf(32, 32)

/** 128 random bits as 32 hex digits: ids of wallets, changes and asks, chosen by the client so that it can retry. */
const randomId = z.string().check(z.regex(/^[0-9a-f]{32}$/))
const deviceId = z.string().check(z.minLength(1), z.maxLength(64))
/** A share of shamir-secret-sharing over 32 bytes: 32 of y and one of x. */
const share = bytesOf(33, 33)
/** Uncompressed P-256 point, for HPKE (RFC 9180, DHKEM(P-256), HKDF-SHA256, AES-256-GCM). */
const publicKey = bytesOf(65, 65)
const epoch = z.int().check(z.gte(1), z.lte(1_000_000))
/** 65 bytes r, s, v as hex, over the digest of what it signs (`apps/frame/src/wallet/digests.ts`). */
const signature = z.string().check(z.regex(/^0x[0-9a-f]{130}$/))

/** HPKE single shot: encapsulated key and ciphertext. */
export const hpkeSealed = z.strictObject({ enc: publicKey, ct: bytesOf(16, 512) })
export type HpkeSealed = z.infer<typeof hpkeSealed>

/** AES-256-GCM: 96-bit nonce, and ciphertext with its tag. */
export const gcmSealed = z.strictObject({ iv: bytesOf(12, 12), ct: bytesOf(16, 512) })
export type GcmSealed = z.infer<typeof gcmSealed>

/** The two accounts of a wallet: EIP-55 address and base58 public key. */
export const walletAddresses = z.strictObject({
  eip155: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  solana: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
})
export type WalletAddresses = z.infer<typeof walletAddresses>

/** JSON text of the wallet's facts and the EVM key's signature over it, kept and compared as text. */
export const manifest = z.strictObject({
  text: z.string().check(z.minLength(2), z.maxLength(16_384)),
  signature,
})
export type Manifest = z.infer<typeof manifest>

/** A way to the recovery key: wrapped under a passkey's PRF or a printed kit, or kept by the operator (no `wrap`). */
export const recoveryFactor = z.strictObject({
  id: randomId,
  kind: z.enum(['passkey', 'kit', 'operator']),
  wrap: z.optional(gcmSealed),
  /** WebAuthn credential id of a passkey. */
  credentialId: z.optional(bytesOf(1, 1023)),
  label: z.optional(z.string().check(z.maxLength(64))),
})
export type RecoveryFactor = z.infer<typeof recoveryFactor>

/** A factor as it is added. The operator's takes the recovery key itself; the server keeps it under a key of its own. */
export const newFactor = z.discriminatedUnion('kind', [
  z.strictObject({
    id: randomId,
    kind: z.literal('passkey'),
    wrap: gcmSealed,
    credentialId: bytesOf(1, 1023),
    label: z.optional(z.string().check(z.maxLength(64))),
  }),
  z.strictObject({ id: randomId, kind: z.literal('kit'), wrap: gcmSealed }),
  z.strictObject({ id: randomId, kind: z.literal('operator'), recoveryKey: bytes32 }),
])
export type NewFactor = z.infer<typeof newFactor>

/**
 * One split of the key-encryption key: the server's share, the recovery share sealed to the recovery key, and for a
 * device other than the caller's its own share sealed to its key. Slot `recovery` has no device share at all.
 */
export const walletSlot = z.strictObject({
  slot: z.union([z.literal('recovery'), deviceId]),
  share,
  sealedRecoveryShare: hpkeSealed,
  sealedDeviceShare: z.optional(hpkeSealed),
})
export type WalletSlot = z.infer<typeof walletSlot>

/** The seed under its key, with the facts that are fixed while an epoch lasts. */
export const walletSeal = z.strictObject({
  addresses: walletAddresses,
  recoveryKey: publicKey,
  sealedSeed: gcmSealed,
})
export type WalletSeal = z.infer<typeof walletSeal>

const walletView = z.strictObject({
  id: randomId,
  epoch,
  addresses: walletAddresses,
  recoveryKey: publicKey,
  manifest,
  sealedSeed: gcmSealed,
  /** `assisted` where the operator keeps a way to the recovery key: he could sign. */
  tier: z.enum(['self-held', 'assisted']),
  factors: z.array(recoveryFactor),
  /** The caller's own split: which change made it, and its device share where another device made it. */
  slot: z.optional(
    z.strictObject({
      changeId: randomId,
      epoch,
      sealedRecoveryShare: hpkeSealed,
      sealedDeviceShare: z.optional(hpkeSealed),
    }),
  ),
})
export type WalletView = z.infer<typeof walletView>

/** `POST /api/wallet`: the user's wallet, or none. `pending`: a creation has begun and may still be committed. */
export const getWallet = {
  method: 'POST',
  path: '/api/wallet',
  body: z.strictObject({}),
  result: z.strictObject({
    userId: z.string(),
    realm: z.string(),
    deviceId,
    deviceThumb: z.string(),
    wallet: z.optional(walletView),
    pending: z.optional(
      z.strictObject({ changeId: randomId, ours: z.boolean(), secondsLeft: z.number() }),
    ),
  }),
} as const satisfies Route
export type VaultState = z.infer<typeof getWallet.result>

/**
 * `POST /api/wallet/prepare`: first half of every change: creation (`seal`, epoch 1, at least one factor), a fresh
 * split, an approved or recovered device, a rotation (`seal`, next epoch). Nothing changes before the commit; the same
 * `changeId` again is the same change. 409 when another creation is first.
 */
export const prepareWallet = {
  method: 'POST',
  path: '/api/wallet/prepare',
  body: z.strictObject({
    changeId: randomId,
    walletId: randomId,
    epoch,
    /** Key of the calling device that its shares are sealed to. */
    deviceKey: publicKey,
    manifest,
    seal: z.optional(walletSeal),
    slots: z.array(walletSlot).check(z.minLength(1), z.maxLength(50)),
    factors: z.optional(z.array(newFactor).check(z.maxLength(10))),
  }),
  result: z.strictObject({ changeId: randomId, secondsLeft: z.number() }),
} as const satisfies Route
export type WalletChange = z.infer<typeof prepareWallet.body>

/** `POST /api/wallet/commit`: second half. The wallet's EVM key signs that this device can use it. */
export const commitWallet = {
  method: 'POST',
  path: '/api/wallet/commit',
  body: z.strictObject({ changeId: randomId, signature }),
  result: z.strictObject({ walletId: randomId, epoch }),
} as const satisfies Route

/** `POST /api/share`: the server's share of the caller's split, or of a change not committed yet, sealed to its key. */
export const releaseShare = {
  method: 'POST',
  path: '/api/share',
  body: z.strictObject({ changeId: z.optional(randomId) }),
  result: z.strictObject({ changeId: randomId, epoch, sealed: hpkeSealed }),
} as const satisfies Route

/** `POST /api/recovery/shares`: the recovery split, sealed to the calling device. Needs nothing but a login. 3 a day. */
export const recoveryShares = {
  method: 'POST',
  path: '/api/recovery/shares',
  body: z.strictObject({ deviceKey: publicKey }),
  result: z.strictObject({ epoch, sealed: hpkeSealed, sealedRecoveryShare: hpkeSealed }),
} as const satisfies Route

/** `POST /api/recovery/factors/add`: needs a recent step-up. */
export const addFactor = {
  method: 'POST',
  path: '/api/recovery/factors/add',
  body: z.strictObject({ factor: newFactor }),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/recovery/factors/remove`: needs a recent step-up; the last factor stays (409). */
export const removeFactor = {
  method: 'POST',
  path: '/api/recovery/factors/remove',
  body: z.strictObject({ id: randomId }),
  result: z.strictObject({}),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/start`: after a login of purpose `recovery`, whose code is another than a login's. The
 * mailbox hears of it, and devices that hold the wallet list it. `secondsLeft`: 24 h while another device lives, else 0.
 * What the same device has asked for already, and nobody has stopped, goes on without another code.
 */
export const startOperatorRecovery = {
  method: 'POST',
  path: '/api/recovery/operator/start',
  body: z.strictObject({}),
  result: z.strictObject({ id: randomId, secondsLeft: z.number() }),
} as const satisfies Route

/** `POST /api/recovery/operator/release`: the recovery key sealed to the calling device, once nobody has said no. */
export const releaseOperatorRecovery = {
  method: 'POST',
  path: '/api/recovery/operator/release',
  body: z.strictObject({ id: randomId, deviceKey: publicKey }),
  result: z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('waiting'), secondsLeft: z.number() }),
    z.strictObject({ status: z.literal('released'), sealed: hpkeSealed }),
  ]),
} as const satisfies Route

/**
 * `POST /api/recovery/operator/list`: what other devices have asked of the operator and nobody has stopped, for a device that
 * holds the wallet. `readyAtMs`: when it opens, in milliseconds since 1970.
 */
export const listOperatorRecoveries = {
  method: 'POST',
  path: '/api/recovery/operator/list',
  body: z.strictObject({}),
  result: z.strictObject({
    recoveries: z.array(z.strictObject({ id: randomId, name: z.string(), readyAtMs: z.number() })),
  }),
} as const satisfies Route

/** `POST /api/recovery/operator/cancel`: says no to all that is under way, from a device that holds the wallet. */
export const cancelOperatorRecovery = {
  method: 'POST',
  path: '/api/recovery/operator/cancel',
  body: z.strictObject({}),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/recovery/operator/undo`: says no by the mail's link, `/undo#recovery=…`. No proof: it opens anywhere. */
export const cancelOperatorRecoveryByLink = {
  method: 'POST',
  path: '/api/recovery/operator/undo',
  body: z.strictObject({ secret: randomId }),
  result: z.strictObject({}),
} as const satisfies Route

const nonce = bytesOf(16, 16)

/** `POST /api/enroll/ask`: a new device asks the old ones. `commitment` fixes its nonce before it sees theirs. */
export const askEnrollment = {
  method: 'POST',
  path: '/api/enroll/ask',
  body: z.strictObject({ askId: randomId, deviceKey: publicKey, commitment: bytes32 }),
  result: z.strictObject({ secondsLeft: z.number() }),
} as const satisfies Route

/** `POST /api/enroll/asks`: what new devices wait for, to be shown on an old one. */
export const listEnrollments = {
  method: 'POST',
  path: '/api/enroll/asks',
  body: z.strictObject({}),
  result: z.strictObject({
    asks: z.array(
      z.strictObject({
        askId: randomId,
        deviceId,
        name: z.string(),
        deviceKey: publicKey,
        commitment: bytes32,
        /** The new device's nonce, once it has seen ours. */
        nonce: z.optional(nonce),
        secondsLeft: z.number(),
      }),
    ),
  }),
} as const satisfies Route

/** `POST /api/enroll/meet`: the old device's nonce and the address it will hand over. The first to meet is the one. */
export const meetEnrollment = {
  method: 'POST',
  path: '/api/enroll/meet',
  body: z.strictObject({ askId: randomId, nonce }),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/enroll/reveal`: the new device opens its commitment, after it has seen the other nonce. */
export const revealEnrollment = {
  method: 'POST',
  path: '/api/enroll/reveal',
  body: z.strictObject({ askId: randomId, nonce }),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/enroll/answer`: after a person has compared the three words. `change` has the new device's one slot. */
export const answerEnrollment = {
  method: 'POST',
  path: '/api/enroll/answer',
  body: z.strictObject({
    askId: randomId,
    change: z.optional(z.omit(prepareWallet.body, { seal: true, factors: true, deviceKey: true })),
  }),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/enroll/poll`: how far the new device's ask has come. With `approved` its change can be committed. */
export const pollEnrollment = {
  method: 'POST',
  path: '/api/enroll/poll',
  body: z.strictObject({ askId: randomId }),
  result: z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('waiting') }),
    z.strictObject({ status: z.literal('met'), nonce, addresses: walletAddresses }),
    z.strictObject({
      status: z.literal('approved'),
      changeId: randomId,
      manifest,
      sealedRecoveryShare: hpkeSealed,
      sealedDeviceShare: hpkeSealed,
    }),
    z.strictObject({ status: z.literal('refused') }),
  ]),
} as const satisfies Route

/** `POST /api/devices/list`: devices that hold a split, the caller's first. Times in milliseconds since 1970. */
export const listDevices = {
  method: 'POST',
  path: '/api/devices/list',
  body: z.strictObject({}),
  result: z.strictObject({
    devices: z.array(
      z.strictObject({
        id: deviceId,
        name: z.string(),
        current: z.boolean(),
        deviceKey: publicKey,
        addedAtMs: z.number(),
        lastUsedAtMs: z.number(),
      }),
    ),
  }),
} as const satisfies Route

/** `POST /api/devices/rename`. */
export const renameDevice = {
  method: 'POST',
  path: '/api/devices/rename',
  body: z.strictObject({ id: deviceId, name: z.string().check(z.minLength(1), z.maxLength(64)) }),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/devices/revoke`: its shares and sessions are gone when this answers. */
export const revokeDevice = {
  method: 'POST',
  path: '/api/devices/revoke',
  body: z.strictObject({ id: deviceId }),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/delete`: everything the vault has of the user, at once and for good. Needs a recent step-up. */
export const deleteVault = {
  method: 'POST',
  path: '/api/delete',
  body: z.strictObject({ confirm: z.literal('delete my wallet') }),
  result: z.strictObject({}),
} as const satisfies Route

/** `POST /api/audit`: what happened to the user's wallet, the latest first, 100 a page. */
export const listAudit = {
  method: 'POST',
  path: '/api/audit',
  body: z.strictObject({ before: z.optional(z.int().check(z.positive())) }),
  result: z.strictObject({
    entries: z.array(
      z.strictObject({
        sequence: z.number(),
        atMs: z.number(),
        action: z.string(),
        deviceId: z.optional(z.string()),
        detail: z.record(z.string(), z.union([z.string(), z.number()])),
      }),
    ),
  }),
} as const satisfies Route
