import type { GcmSealed } from '@latchkey/wire'
import { type Bytes, fromBase64Url, randomBytes, toBase64Url, toBytes } from './bytes.ts'

const algorithm = (iv: Bytes, aad: Bytes): AesGcmParams => ({
  name: 'AES-GCM',
  iv,
  additionalData: aad,
  tagLength: 128,
})

/** A 256-bit key that cannot be extracted from WebCrypto. */
export const importGcmKey = (key: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** Seals with AES-256-GCM and a random nonce. */
export async function gcmSeal(key: CryptoKey, plain: Bytes, aad: Bytes): Promise<GcmSealed> {
  const iv = randomBytes(12)
  const ct = await crypto.subtle.encrypt(algorithm(iv, aad), key, plain)
  return { iv: toBase64Url(iv), ct: toBase64Url(toBytes(ct)) }
}

/**
 * Opens a box sealed by {@link gcmSeal}. Throws if the key, nonce, ciphertext or `aad` differs from
 * the sealed values.
 */
export async function gcmOpen(key: CryptoKey, sealed: GcmSealed, aad: Bytes): Promise<Bytes> {
  const iv = fromBase64Url(sealed.iv)
  return toBytes(await crypto.subtle.decrypt(algorithm(iv, aad), key, fromBase64Url(sealed.ct)))
}
