import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** Encrypts with AES-256-GCM. Returns nonce, ciphertext and tag in one array. */
export function gcmSeal(key: Uint8Array, plain: Uint8Array, aad: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts the result of {@link gcmSeal}. Throws if anything was changed. */
export function gcmOpen(key: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed)
  if (bytes.length < ivBytes + tagBytes) throw new Error('the ciphertext is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
  decipher.setAAD(aad).setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
}
