import { generateKeyPairSync, sign } from 'node:crypto'

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const encode = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')

/** A token of a new client for the relay at `url`, good for a day. */
export function relayToken(url: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
  let value = BigInt(`0xed01${key.toString('hex')}`)
  let encoded = ''
  for (; value > 0n; value /= 58n) encoded = (alphabet[Number(value % 58n)] ?? '') + encoded
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: `did:key:z${encoded}`, sub: 'ab'.repeat(32), aud: url, iat }
  const text = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ ...claims, exp: iat + 86_400 })}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}
