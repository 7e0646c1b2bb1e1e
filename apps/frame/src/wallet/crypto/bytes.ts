import { bytesToHex, decodeBase64, encodeBase64 } from '@latchkey/wire'

/** Bytes in their own buffer, as WebCrypto expects them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Copies bytes into their own buffer. */
export const toBytes = (from: ArrayLike<number> | ArrayBuffer): Bytes =>
  from instanceof ArrayBuffer ? new Uint8Array(from) : Uint8Array.from(from)

/** UTF-8. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** Base64url without padding (RFC 4648 §5). */
export const toBase64Url = (bytes: Uint8Array): string => encodeBase64(bytes, 'base64url')

/** Decodes {@link toBase64Url}. Throws on invalid text, and on bits that belong to no byte. */
export function fromBase64Url(text: string): Bytes {
  const bytes = decodeBase64(text, 'base64url')
  if (!bytes) throw new Error('not base64url')
  return bytes
}

/** Decodes {@link bytesToHex}, with or without `0x`. Throws on invalid text. */
export function fromHex(text: string): Bytes {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) throw new Error('not hex')
  const bytes = new Uint8Array(digits.length / 2)
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16)
  return bytes
}

export function concat(...parts: Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** `length` random bytes from the system. */
export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

/** A random 128-bit id. */
export const createRandomId = (): string => bytesToHex(randomBytes(16))

/**
 * Overwrites secrets after use. The engine may still hold copies, which JavaScript cannot
 * overwrite.
 */
export function wipe(...secrets: (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}
