import * as z from 'zod/mini'

/* Schemas shared by the calls of the vault. Bytes are base64url without padding. */

export const byteText = (min: number, max: number) =>
  z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_-]*$/),
      z.minLength(Math.ceil((min * 4) / 3)),
      z.maxLength(Math.ceil((max * 4) / 3)),
    )
export const bytes32 = byteText(32, 32)

/**
 * 128 random bits as 32 hex digits: ids of wallets, changes and asks, chosen by the client so that
 * it can retry.
 */
export const randomIdShape = z.string().check(z.regex(/^[0-9a-f]{32}$/))
export const deviceId = z.string().check(z.minLength(1), z.maxLength(64))
/** A share of shamir-secret-sharing over 32 bytes: 32 bytes of y and 1 byte of x. */
const share = byteText(33, 33)
/** Uncompressed P-256 point, for HPKE (RFC 9180, DHKEM(P-256), HKDF-SHA256, AES-256-GCM). */
export const publicKey = byteText(65, 65)
export const epoch = z.int().check(z.gte(1), z.lte(1_000_000))
/**
 * 65 bytes r, s, v as hex, over the digest of what it signs
 * (`apps/frame/src/wallet/crypto/digests.ts`).
 */
export const signature = z.string().check(z.regex(/^0x[0-9a-f]{130}$/))

/** HPKE single shot: encapsulated key and ciphertext. */
export const hpkeSealed = z.strictObject({ enc: publicKey, ct: byteText(16, 512) })
export type HpkeSealed = z.infer<typeof hpkeSealed>

/** AES-256-GCM: 96-bit nonce, and ciphertext with its tag. */
export const gcmSealed = z.strictObject({ iv: byteText(12, 12), ct: byteText(16, 512) })
export type GcmSealed = z.infer<typeof gcmSealed>

/** The two accounts of a wallet: EIP-55 address and base58 public key. */
export const walletAddresses = z.strictObject({
  eip155: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  solana: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)),
})
export type WalletAddresses = z.infer<typeof walletAddresses>

/**
 * Whether the EVM account sends its calls in separate transactions, or as a smart account
 * (EIP-7702).
 */
export const sendingType = z.enum(['eoa', 'smartAccount'])

/**
 * JSON text of the wallet's facts and the EVM key's signature over it, stored and compared as a
 * string.
 */
export const manifest = z.strictObject({
  text: z.string().check(z.minLength(2), z.maxLength(16_384)),
  signature,
})
export type Manifest = z.infer<typeof manifest>

/**
 * A recovery method. The recovery key is wrapped under a passkey's PRF or a printed kit, or kept by
 * the operator (no `wrap`). Bundles store it, so no part may be dropped.
 */
export const recoveryFactor = z.strictObject({
  id: randomIdShape,
  kind: z.enum(['passkey', 'kit', 'operator']),
  wrap: z.optional(gcmSealed),
  /** WebAuthn credential id of a passkey. */
  credentialId: z.optional(byteText(1, 1023)),
  label: z.optional(z.string().check(z.maxLength(64))),
})
export type RecoveryFactor = z.infer<typeof recoveryFactor>

/**
 * A new recovery factor. The operator's factor contains the recovery key itself; the server
 * encrypts it under the server's own key.
 */
export const newFactor = z.discriminatedUnion('kind', [
  z.strictObject({
    id: randomIdShape,
    kind: z.literal('passkey'),
    wrap: gcmSealed,
    credentialId: byteText(1, 1023),
    label: z.optional(z.string().check(z.maxLength(64))),
  }),
  z.strictObject({ id: randomIdShape, kind: z.literal('kit'), wrap: gcmSealed }),
  z.strictObject({ id: randomIdShape, kind: z.literal('operator'), recoveryKey: bytes32 }),
])
export type NewFactor = z.infer<typeof newFactor>

/**
 * One split of the key-encryption key: the server's share, the recovery share sealed to the
 * recovery key, and for a device other than the caller's its own share sealed to its key. Slot
 * `recovery` has no device share at all.
 */
export const walletSlot = z.strictObject({
  slot: z.union([z.literal('recovery'), deviceId]),
  share,
  sealedRecoveryShare: hpkeSealed,
  sealedDeviceShare: z.optional(hpkeSealed),
})
export type WalletSlot = z.infer<typeof walletSlot>

/** The encrypted seed, with the facts that are fixed during an epoch. */
export const walletSeal = z.strictObject({
  addresses: walletAddresses,
  recoveryKey: publicKey,
  sealedSeed: gcmSealed,
})
export type WalletSeal = z.infer<typeof walletSeal>
