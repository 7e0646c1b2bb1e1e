import { createPublicKey, verify } from 'node:crypto'

/** Whether 64 bytes are a key's signature of a message (RFC 8032). Answers false for whatever is none. */
export function verifyEd25519(parameters: {
  readonly publicKey: Uint8Array
  readonly message: string | Uint8Array
  readonly signature: Uint8Array
}): boolean {
  const { publicKey, message, signature } = parameters
  if (publicKey.length !== 32 || signature.length !== 64 || isSmallOrder(publicKey)) return false
  const x = Buffer.from(publicKey).toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(message), key, signature)
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
