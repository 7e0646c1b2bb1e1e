import { LatchkeyError } from '@latchkey/wire'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Bytes, concat, randomBytes, utf8 } from '../crypto/bytes.ts'

/** Crockford's base 32, without the ambiguous I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const symbols = 28
const groupLength = 4

/** 12 bits that reveal a typing error. */
const checksum = (secret: Uint8Array): bigint => {
  const hash = sha256(concat(utf8('latchkey kit v1'), secret))
  return (BigInt(hash[0] ?? 0) << 4n) | (BigInt(hash[1] ?? 0) >> 4n)
}

/**
 * Creates a kit: 128 random bits and a 12-bit checksum in seven groups of four, for example
 * `7QZ4-…`.
 */
export const createRecoveryKit = (): string => formatRecoveryKit(randomBytes(16))

function formatRecoveryKit(secret: Bytes): string {
  let value = 0n
  for (const byte of secret) value = (value << 8n) | BigInt(byte)
  value = (value << 12n) | checksum(secret)
  let text = ''
  for (let at = symbols - 1; at >= 0; at--)
    text += alphabet[Number((value >> BigInt(at * 5)) & 31n)]
  return (text.match(/.{4}/g) ?? []).join('-')
}

/**
 * Parses the 16 bytes of a typed kit; case, spaces and hyphens do not matter. Throws `KIT_INVALID`.
 */
export function parseRecoveryKit(text: string): Bytes {
  const plain = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')
  if (plain.length !== symbols)
    throw invalid(`a kit has ${symbols} letters and digits in groups of ${groupLength}`)
  let value = 0n
  for (const symbol of plain) {
    const digit = alphabet.indexOf(symbol)
    if (digit < 0) throw invalid(`a kit never contains ${symbol}`)
    value = (value << 5n) | BigInt(digit)
  }
  const check = value & 0xfffn
  const secret = new Uint8Array(16)
  for (let at = 0; at < 16; at++) secret[at] = Number((value >> BigInt(12 + (15 - at) * 8)) & 255n)
  if (checksum(secret) !== check) throw invalid('a letter or digit is wrong')
  return secret
}

const invalid = (reason: string) => new LatchkeyError('KIT_INVALID', { data: { reason } })
