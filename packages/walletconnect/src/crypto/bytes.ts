import { bytesToHex } from '@noble/hashes/utils.js'

/** Bytes of `length` from lower-case hex, else undefined. */
export function bytesFromHex(hex: string, length: number): Uint8Array | undefined {
  if (hex.length !== 2 * length || !/^[0-9a-f]*$/.test(hex)) return undefined
  return Uint8Array.from({ length }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}

/** The 32 bytes of a key in hex. Throws a TypeError if it is malformed. */
export function keyFromHex(hex: string): Uint8Array {
  const bytes = bytesFromHex(hex, 32)
  if (bytes === undefined) throw new TypeError('not a 32-byte key')
  return bytes
}

/** Bytes as lower-case hex. */
export const hexFromBytes = (bytes: Uint8Array): string => bytesToHex(bytes)

/** Decodes UTF-8 bytes. Returns undefined if they are malformed. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Encodes a string as UTF-8. */
export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text)
