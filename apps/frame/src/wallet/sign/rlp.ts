import { concat } from '../crypto/bytes.ts'

/** A value that RLP encodes: bytes, or a list of values. */
export type Rlp = Uint8Array | readonly Rlp[]

/** Recursive length prefix (Ethereum yellow paper, appendix B). */
export function encodeRlp(item: Rlp): Uint8Array<ArrayBuffer> {
  if (item instanceof Uint8Array) {
    const [first] = item
    if (item.length === 1 && first !== undefined && first < 0x80) return Uint8Array.from(item)
    return concat(prefix(item.length, 0x80), item)
  }
  const body = concat(...item.map(encodeRlp))
  return concat(prefix(body.length, 0xc0), body)
}

function prefix(length: number, offset: number): Uint8Array {
  if (length < 56) return Uint8Array.of(offset + length)
  const bytes = rlpInteger(BigInt(length))
  return concat(Uint8Array.of(offset + 55 + bytes.length), bytes)
}

/** Encodes a number for RLP: big-endian without leading zeros, nothing for zero. */
export function rlpInteger(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 255n))
  return Uint8Array.from(bytes)
}
