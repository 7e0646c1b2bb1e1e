import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM: nonce, ciphertext and tag in one. */
export function gcmSeal(key: Uint8Array, plain: Uint8Array, aad: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Opens what {@link gcmSeal} made. Throws if anything was changed. */
export function gcmOpen(key: Uint8Array, sealed: Uint8Array, aad: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed)
  if (bytes.length < ivBytes + tagBytes) throw new Error('too short to be sealed')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
  decipher.setAAD(aad).setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
}
