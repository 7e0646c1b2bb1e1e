import { bytesToHex } from '@noble/hashes/utils.js'

/** How bytes travel as text: `base64` with padding (relay), `base64url` without (link mode, JWT). */
export type Encoding = 'base64' | 'base64url'

const patterns: Record<Encoding, RegExp> = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  base64url: /^(?:[\w-]{4})*(?:[\w-]{2,3})?$/,
}

/** Bytes as text. */
export function encodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  let binary = ''
  // A call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  const text = btoa(binary)
  if (encoding === 'base64') return text
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Bytes of a text in exactly this encoding, else undefined. */
export function decodeBytes(text: string, encoding: Encoding): Uint8Array | undefined {
  if (!patterns[encoding].test(text)) return undefined
  const standard = encoding === 'base64' ? text : text.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(standard), (character) => character.charCodeAt(0))
  // Bits beyond the last byte would let one message be written in several ways.
  return encodeBytes(bytes, encoding) === text ? bytes : undefined
}

/** Bytes of `length` from lower-case hex, else undefined. */
export function bytesFromHex(hex: string, length: number): Uint8Array | undefined {
  if (hex.length !== 2 * length || !/^[0-9a-f]*$/.test(hex)) return undefined
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}

/** The 32 bytes of a key in hex; throws a TypeError when it is malformed. */
export function keyFromHex(hex: string): Uint8Array {
  const bytes = bytesFromHex(hex, 32)
  if (bytes === undefined) throw new TypeError('not a 32-byte key')
  return bytes
}

/** Bytes as lower-case hex. */
export const hexOf = (bytes: Uint8Array): string => bytesToHex(bytes)

/** Text of UTF-8 bytes, else undefined. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Bytes one after another. */
export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
