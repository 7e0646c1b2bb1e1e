import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'

/** Reads bytes from the start. Reading beyond the end throws a TypeError. */
export type ByteReader = {
  take(length: number): Uint8Array
  uint32(): number
  uint64(): bigint
  /** Bitcoin's compact size, in its shortest form. */
  size(): number
  /** A compact size and as many bytes. */
  sized(): Uint8Array
  isAtEnd(): boolean
}

/** A reader of Bitcoin's little-endian formats. */
export function createReader(bytes: Uint8Array): ByteReader {
  let at = 0
  const take = (length: number) => {
    if (length > bytes.length - at) throw new TypeError('The bytes end too early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const number = (length: number) => toNumber(take(length))
  const size = () => {
    const first = number(1)
    if (first < 0xfd) return first
    const value = number(2 ** (first - 0xfc))
    if (value < (first === 0xfd ? 0xfd : 2 ** (8 * 2 ** (first - 0xfd))))
      throw new TypeError('Not the shortest encoding')
    return value
  }
  return {
    take,
    uint32: () => number(4),
    uint64: () => take(8).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n),
    size,
    sized: () => take(size()),
    isAtEnd: () => at === bytes.length,
  }
}

// A size that does not fit a double is larger than any byte array.
const toNumber = (bytes: Uint8Array) => bytes.reduceRight((value, byte) => value * 256 + byte, 0)

/** Four bytes, little-endian. */
export const uint32 = (value: number): Uint8Array =>
  Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24)

/** Eight bytes, little-endian. */
export const uint64 = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))

/** Bitcoin's compact size of a number below 2^32. */
export function encodeSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  return value <= 0xffff
    ? Uint8Array.of(0xfd, value, value >>> 8)
    : concatBytes(Uint8Array.of(0xfe), uint32(value))
}

/** Bytes with their compact size before them. */
export const withSize = (bytes: Uint8Array): Uint8Array =>
  concatBytes(encodeSize(bytes.length), bytes)

/** A list with its compact size before it. */
export const encodeList = (parts: readonly Uint8Array[]): Uint8Array =>
  concatBytes(encodeSize(parts.length), ...parts)

/** Double SHA-256, Bitcoin's hash. */
export const hash256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes))

/** Whether two byte arrays are equal. Not constant-time: not for secrets. */
export const equalBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at])
