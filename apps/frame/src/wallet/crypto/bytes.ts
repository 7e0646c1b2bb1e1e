import { bytesToHex } from '@latchkey/wire'
/** Bytes in a buffer of their own, as WebCrypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A copy in a buffer of its own. */
export const toBytes = (from: ArrayLike<number> | ArrayBuffer): Bytes =>
  from instanceof ArrayBuffer ? new Uint8Array(from) : Uint8Array.from(from)

/** UTF-8. */
export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** Base64url without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** What {@link toBase64Url} made. Throws on other text, and on bits that stand for no byte. */
export function fromBase64Url(text: string): Bytes {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error('not base64url')
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(raw, (char) => char.charCodeAt(0))
  if (toBase64Url(bytes) !== text) throw new Error('not base64url')
  return bytes
}

/** What {@link bytesToHex} made, with or without `0x`. Throws on other text. */
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

/** `length` bytes of the system's generator. */
export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))

/** A fresh 128-bit id. */
export const randomId = (): string => bytesToHex(randomBytes(16))

/** Overwrites secrets that are done with. The engine may have copies; this is what JavaScript can do. */
export function wipe(...secrets: (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0)
}
