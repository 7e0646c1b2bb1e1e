import { decodeBase58, decodeBase64 } from '@latchkey/wire'
import { bytesToHex } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeText } from '../crypto/bytes.ts'
import { generateIdentity } from '../crypto/crypto.ts'
import { curves, webCurves } from '../crypto/curves.ts'
import { scriptCurves } from '../crypto/scriptCurves.ts'
import { getClientId, signRelayToken } from './relayAuth.ts'

// Test case of the relay's client authentication specification.
const identity = {
  privateKey: '58e0254c211b858ef7896b00e3f36beeb13d568d47c6031c4218b87718061295',
  publicKey: '884ab67f787b69e534bfdba8d5beb4e719700e90ac06317ed177d49e5a33be5a',
}
const claims = {
  sub: 'c479fe5dc464e771e78b193d239a65b58d278cad1c34bfb0b5716e5bb514928e',
  aud: 'wss://relay.walletconnect.com',
  iat: 1_656_910_097,
}
const token =
  'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJkaWQ6a2V5Ono2TWtvZEhad25lVlJTaHRhTGY4SktZa3hwREdwMXZHWm5wR21kQnBYOE0yZXh4SCIsInN1YiI6ImM0NzlmZTVkYzQ2NGU3NzFlNzhiMTkzZDIzOWE2NWI1OGQyNzhjYWQxYzM0YmZiMGI1NzE2ZTViYjUxNDkyOGUiLCJhdWQiOiJ3c3M6Ly9yZWxheS53YWxsZXRjb25uZWN0LmNvbSIsImlhdCI6MTY1NjkxMDA5NywiZXhwIjoxNjU2OTk2NDk3fQ.bAKl1swvwqqV_FgwvD4Bx3Yp987B9gTpZctyBviA-EkAuWc8iI8SyokOjkv9GJESgid4U8Tf2foCgrQp2qrxBA'

for (const [name, from] of Object.entries({ webCurves, scriptCurves, curves }))
  test(`behavior: the token of the specification by ${name}`, async () => {
    expect(await signRelayToken(identity, claims, from)).toBe(token)
  })

test('default', async () => {
  const own = await generateIdentity()
  const [header, payload, signature] = (await signRelayToken(own, claims)).split('.')
  const parse = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(parse(header)).toEqual({ alg: 'EdDSA', typ: 'JWT' })
  const exp = claims.iat + 86_400
  expect(parse(payload)).toEqual({ ...claims, iss: getClientId(own.publicKey), exp })
  const bytes = decodeBase64(signature ?? '', 'base64url') ?? new Uint8Array()
  expect(await curves.verify(own.publicKey, bytes, encodeText(`${header}.${payload}`))).toBe(true)
})

test('error: malformed keys sign nothing', async () => {
  for (const publicKey of ['', 'zz', identity.publicKey.slice(2)])
    await expect(signRelayToken({ ...identity, publicKey }, claims)).rejects.toMatchObject({
      code: 'RELAY_TOKEN_INVALID',
    })
  await expect(signRelayToken({ ...identity, privateKey: 'zz' }, claims)).rejects.toMatchObject({
    code: 'RELAY_TOKEN_INVALID',
  })
})

test('behavior: a did:key represents exactly one key', () => {
  expect(getClientId('3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29')).toBe(
    'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const id = getClientId(bytesToHex(bytes))
      expect(decodeBase58(id.replace('did:key:z', ''))).toEqual(Uint8Array.of(0xed, 0x01, ...bytes))
    }),
  )
})
