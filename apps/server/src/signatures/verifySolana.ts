import { createPublicKey, verify } from 'node:crypto'
import { decodeBase58 } from '@latchkey/wire'
import { parseSolanaAddress } from '../solana/address.ts'
import type { SignedMessage } from './signedMessage.ts'

const signatureBytes = 64

/** ed25519 (RFC 8032) over the bytes of the message, by the key that the address is. */
export function verifySolana({ address, message, signature }: SignedMessage): boolean {
  const key = decodeBase58(parseSolanaAddress(address) ?? '')
  const signed = decodeBase58(signature)
  if (key?.length !== 32 || signed?.length !== signatureBytes || isSmallOrder(key)) return false
  const x = Buffer.from(key).toString('base64url')
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(message), publicKey, signed)
  } catch {
    return false
  }
}

/** Points whose order is small, in hex, without the bit of their sign. Anybody can sign for them. */
const smallOrder: ReadonlySet<string> = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
])

function isSmallOrder(key: Uint8Array): boolean {
  const unsigned = Buffer.from(key)
  unsigned[31] = (unsigned[31] ?? 0) & 0x7f
  return smallOrder.has(unsigned.toString('hex'))
}
