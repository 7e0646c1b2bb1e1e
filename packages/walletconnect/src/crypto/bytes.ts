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

/** Encodes a string as UTF-8. */
export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text)
