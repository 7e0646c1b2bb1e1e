import { encodeBase58 } from '../encoding/base58.ts'

/**
 * Reads bytes from the first to the last. Every read throws RangeError if the bytes end or are not
 * in their canonical form.
 */
export type SolanaByteReader = {
  readonly at: () => number
  readonly left: () => number
  take(length: number): Uint8Array
  u8(): number
  u16(): number
  u32(): number
  u64(): bigint
  i64(): bigint
  /** Solana's compact-u16: up to three bytes of seven bits, in the shortest form. */
  compact(): number
  /** 32 bytes as base58. */
  key(): string
  /** UTF-8. */
  text(length: number): string
  /** Throws if bytes are left. */
  end(): void
}

/** A reader over bytes; numbers are little-endian. */
export function readBytes(bytes: Uint8Array): SolanaByteReader {
  let position = 0
  const take = (length: number) => {
    if (length > bytes.length - position) throw new RangeError('the bytes end too early')
    position += length
    return bytes.subarray(position - length, position)
  }
  const unsigned = (length: number) =>
    take(length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const u8 = () => Number(unsigned(1))
  return {
    at: () => position,
    left: () => bytes.length - position,
    take,
    u8,
    u16: () => Number(unsigned(2)),
    u32: () => Number(unsigned(4)),
    u64: () => unsigned(8),
    i64: () => BigInt.asIntN(64, unsigned(8)),
    compact() {
      let value = 0
      for (let index = 0; index < 3; index++) {
        const byte = u8()
        value += (byte & 0x7f) * 2 ** (7 * index)
        if (byte >= 0x80) continue
        if (value > 0xffff || (index > 0 && byte === 0)) break
        return value
      }
      throw new RangeError('a length is not in its shortest form')
    },
    key: () => encodeBase58(take(32)),
    text: (length) =>
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(take(length)),
    end() {
      if (position !== bytes.length) throw new RangeError('bytes follow the end')
    },
  }
}
