import { isError } from '@latchkey/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBytes, hexOf, utf8 } from '../crypto/bytes.ts'
import { generateIdentity } from '../crypto/crypto.ts'
import { curves, webCurves } from '../crypto/curves.ts'
import { scriptCurves } from '../crypto/scriptCurves.ts'
import { fromDidKey, toDidKey } from './didKey.ts'
import { getClientId, signRelayToken, verifyRelayToken } from './relayAuth.ts'

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
const iss = 'did:key:z6MkodHZwneVRShtaLf8JKYkxpDGp1vGZnpGmdBpX8M2exxH'
const token =
  'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJkaWQ6a2V5Ono2TWtvZEhad25lVlJTaHRhTGY4SktZa3hwREdwMXZHWm5wR21kQnBYOE0yZXh4SCIsInN1YiI6ImM0NzlmZTVkYzQ2NGU3NzFlNzhiMTkzZDIzOWE2NWI1OGQyNzhjYWQxYzM0YmZiMGI1NzE2ZTViYjUxNDkyOGUiLCJhdWQiOiJ3c3M6Ly9yZWxheS53YWxsZXRjb25uZWN0LmNvbSIsImlhdCI6MTY1NjkxMDA5NywiZXhwIjoxNjU2OTk2NDk3fQ.bAKl1swvwqqV_FgwvD4Bx3Yp987B9gTpZctyBviA-EkAuWc8iI8SyokOjkv9GJESgid4U8Tf2foCgrQp2qrxBA'

const at = (nowSeconds: number, text = token, audiences = [claims.aud]) =>
  verifyRelayToken(text, { audiences, nowSeconds }).then(
    () => 'valid',
    (error: unknown) => {
      expect(isError(error, 'RELAY_TOKEN_INVALID')).toBe(true)
      return (error as Error).message
    },
  )

const encode = (json: unknown) => encodeBytes(utf8(JSON.stringify(json)), 'base64url')

async function signJson(header: unknown, payload: unknown) {
  const signed = `${encode(header)}.${encode(payload)}`
  return `${signed}.${encodeBytes(await curves.sign(identity, utf8(signed)), 'base64url')}`
}

for (const [name, from] of Object.entries({ webCurves, scriptCurves, curves })) {
  test(`behavior: the token of the specification by ${name}`, async () => {
    expect(await signRelayToken(identity, claims, from)).toBe(token)
    expect(
      await verifyRelayToken(
        token,
        { audiences: ['wss://other', claims.aud], nowSeconds: claims.iat },
        from,
      ),
    ).toEqual({ ...claims, iss, exp: claims.iat + 86_400 })
  })
}

test('default', async () => {
  const own = await generateIdentity()
  const made = await signRelayToken(own, claims)
  const found = await verifyRelayToken(made, { audiences: [claims.aud], nowSeconds: claims.iat })
  expect(found.iss).toBe(getClientId(own.publicKey))
})

test('behavior: two minutes of clock skew are forgiven, no more', async () => {
  const { iat } = claims
  expect([
    await at(iat - 121),
    await at(iat - 120),
    await at(iat + 86_400 + 120),
    await at(iat + 86_400 + 121),
    await at(iat, token, ['wss://relay.walletconnect.com/']),
  ]).toMatchInlineSnapshot(`
    [
      "JWT validation error: JWT Token is not yet valid",
      "valid",
      "valid",
      "JWT validation error: it has expired",
      "JWT validation error: it is for another relay",
    ]
  `)
})

test('behavior: a token may do without expiry', async () => {
  const head = { alg: 'EdDSA', typ: 'JWT' }
  expect(await at(claims.iat * 2, await signJson(head, { ...claims, iss }))).toBe('valid')
})

test('error: another algorithm, missing claims and foreign issuers', async () => {
  const head = { alg: 'EdDSA', typ: 'JWT' }
  const other = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
  for (const [header, payload] of [
    [
      { alg: 'none', typ: 'JWT' },
      { ...claims, iss },
    ],
    [
      { alg: 'HS256', typ: 'JWT' },
      { ...claims, iss },
    ],
    [head, claims],
    [head, { ...claims, iss, iat: '1656910097' }],
    [head, { ...claims, iss, aud: [claims.aud] }],
    [head, { ...claims, iss: other }],
    [head, { ...claims, iss: `${iss}1` }],
    [head, null],
  ])
    expect(await at(claims.iat, await signJson(header, payload))).not.toBe('valid')
})

test('error: every changed, cut or foreign token is refused', async () => {
  const changed = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom('A', 'B', '.', '=', '_', 'é'))
    .map(([place, character]) => token.slice(0, place) + character + token.slice(place + 1))
  const cut = fc.nat(token.length - 1).map((length) => token.slice(0, length))
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, cut, fc.string()), async (text) => {
      fc.pre(text !== token)
      expect(await at(claims.iat, text)).toMatch(/^JWT validation error: /)
    }),
    { numRuns: 300 },
  )
  expect(await at(claims.iat, 'x'.repeat(5000))).toMatch(/too long/)
})

test('error: keys that are malformed sign nothing', async () => {
  for (const publicKey of ['', 'zz', identity.publicKey.slice(2)])
    await expect(signRelayToken({ ...identity, publicKey }, claims)).rejects.toMatchObject({
      code: 'RELAY_TOKEN_INVALID',
    })
  await expect(signRelayToken({ ...identity, privateKey: 'zz' }, claims)).rejects.toMatchObject({
    code: 'RELAY_TOKEN_INVALID',
  })
})

test('behavior: a did:key stands for exactly one key', () => {
  expect(toDidKey('3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29')).toBe(
    'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp',
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = hexOf(bytes)
      const did = toDidKey(hex) ?? ''
      expect(fromDidKey(did)).toBe(hex)
      expect(fromDidKey(`${did}1`)).toBeUndefined()
      expect(fromDidKey(did.slice(0, -1))).toBeUndefined()
      expect(fromDidKey(did.replace(':z', ':z1'))).toBeUndefined()
    }),
  )
  fc.assert(fc.property(fc.string(), (text) => fromDidKey(`did:key:z${text}`) === undefined))
})
