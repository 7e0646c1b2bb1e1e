import { bytesToHex, commitMessage, manifestMessage } from '@latchkey/wire'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Bytes, fromHex, toBytes, utf8 } from './bytes.ts'
import { evmAddress } from './deriveAccounts.ts'

/** The digest of a manifest that the wallet's key signs. */
export const manifestDigest = (text: string): Bytes =>
  toBytes(keccak_256(utf8(manifestMessage(text))))

/**
 * The digest that the wallet's key signs to commit a change: it proves that the device can use the
 * wallet afterwards.
 */
export const commitDigest = (change: Parameters<typeof commitMessage>[0]): Bytes =>
  toBytes(keccak_256(utf8(commitMessage(change))))

/** r, s and v (27 or 28) as hex; s in the lower half (EIP-2), the nonce by RFC 6979. */
export function signDigest(digest: Bytes, key: Bytes): `0x${string}` {
  const { r, s, recovery } = signParts(digest, key)
  return `0x${hex32(r)}${hex32(s)}${recovery === 0 ? '1b' : '1c'}`
}

/** Like {@link signDigest}, in parts. `recovery` is the parity of y: 0 or 1. */
export function signParts(digest: Bytes, key: Bytes): { r: bigint; s: bigint; recovery: 0 | 1 } {
  const raw = secp256k1.sign(digest, key, { prehash: false, lowS: true, format: 'recovered' })
  const { r, s, recovery } = secp256k1.Signature.fromBytes(raw, 'recovered')
  if (recovery !== 0 && recovery !== 1) throw new Error('a signature nobody can recover')
  return { r, s, recovery }
}

/** Recovers the address of the signer. Throws if the signature is invalid. */
export function recoverSigner(digest: Bytes, signature: string): string {
  const bytes = fromHex(signature)
  const parity = (bytes[64] ?? 0) - 27
  if (bytes.length !== 65 || (parity !== 0 && parity !== 1)) throw new Error('not a signature')
  const point = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
    .addRecoveryBit(parity)
    .recoverPublicKey(digest)
  return evmAddress(point.toBytes(false))
}

const hex32 = (value: bigint) => bytesToHex(fromHex(value.toString(16).padStart(64, '0')))
