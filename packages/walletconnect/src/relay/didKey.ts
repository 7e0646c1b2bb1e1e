import { bytesFromHex, hexOf, join } from '../crypto/bytes.ts'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const head = 'did:key:z'

// Multicodec ed25519-pub.
const codec = Uint8Array.of(0xed, 0x01)

/** `did:key` of an Ed25519 public key (32 bytes, hex); undefined when the key is malformed. */
export function toDidKey(publicKey: string): string | undefined {
  const bytes = bytesFromHex(publicKey, 32)
  if (bytes === undefined) return undefined
  let rest = BigInt(`0x${hexOf(join(codec, bytes))}`)
  let text = ''
  while (rest > 0n) {
    text = alphabet.charAt(Number(rest % 58n)) + text
    rest /= 58n
  }
  return head + text
}

/** Ed25519 public key (hex) of a `did:key`; undefined unless it is exactly one: 34 bytes with their codec. */
export function fromDidKey(did: string): string | undefined {
  const text = did.slice(head.length)
  // 34 bytes that begin with this codec are always 47 or 48 digits.
  if (!did.startsWith(head) || text.length > 48 || text === '') return undefined
  let number = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const hex = number.toString(16)
  const publicKey = hex.slice(4)
  // The way back catches leading zeros and every other second spelling.
  return hex.startsWith('ed01') && toDidKey(publicKey) === did ? publicKey : undefined
}
