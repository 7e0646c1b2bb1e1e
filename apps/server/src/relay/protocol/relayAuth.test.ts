import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verifyRelayAuth } from './relayAuth.ts'

const nowSeconds = 1_700_000_000
const audience = 'wss://relay.example'
const parameters = { audiences: ['ws://127.0.0.1:5555', `${audience}/`], nowSeconds }

const base64Url = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const rawKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
const issuer = didKey([0xed, 0x01, ...rawKey])
const claims = { iss: issuer, sub: 'ab'.repeat(32), aud: audience, iat: nowSeconds }
const header = { alg: 'EdDSA', typ: 'JWT' }

function didKey(bytes: readonly number[]): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = (alphabet[Number(value % 58n)] ?? '') + text
  return `did:key:z${text}`
}

function token(changes: Record<string, unknown> = {}, head: Record<string, unknown> = header) {
  return signPayload(Buffer.from(JSON.stringify({ ...claims, ...changes })), head)
}

function signPayload(payload: Uint8Array, head: Record<string, unknown> = header) {
  const text = `${base64Url(head)}.${Buffer.from(payload).toString('base64url')}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

const reasonOf = (text: string | undefined) => {
  const auth = verifyRelayAuth(text, parameters)
  return 'reason' in auth ? auth.reason : auth.clientId
}

test('default: the issuer is the client', () => {
  expect(verifyRelayAuth(token(), parameters)).toEqual({ clientId: issuer })
  expect(
    verifyRelayAuth(token({ exp: nowSeconds + 86_400, act: 'client_auth' }), parameters),
  ).toEqual({ clientId: issuer })
})

// Test case of the relay's client authentication specification.
const specified = {
  iss: 'did:key:z6MkodHZwneVRShtaLf8JKYkxpDGp1vGZnpGmdBpX8M2exxH',
  audience: 'wss://relay.walletconnect.com',
  iat: 1_656_910_097,
  token:
    'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJkaWQ6a2V5Ono2TWtvZEhad25lVlJTaHRhTGY4SktZa3hwREdwMXZHWm5wR21kQnBYOE0yZXh4SCIsInN1YiI6ImM0NzlmZTVkYzQ2NGU3NzFlNzhiMTkzZDIzOWE2NWI1OGQyNzhjYWQxYzM0YmZiMGI1NzE2ZTViYjUxNDkyOGUiLCJhdWQiOiJ3c3M6Ly9yZWxheS53YWxsZXRjb25uZWN0LmNvbSIsImlhdCI6MTY1NjkxMDA5NywiZXhwIjoxNjU2OTk2NDk3fQ.bAKl1swvwqqV_FgwvD4Bx3Yp987B9gTpZctyBviA-EkAuWc8iI8SyokOjkv9GJESgid4U8Tf2foCgrQp2qrxBA',
}

test('behavior: the token of the specification, from two minutes before it until two minutes after', () => {
  const { iss, iat, audience: aud, token: text } = specified
  const at = (nowSeconds: number) =>
    'clientId' in verifyRelayAuth(text, { audiences: ['wss://other', aud], nowSeconds })
  expect(verifyRelayAuth(text, { audiences: [aud], nowSeconds: iat })).toEqual({ clientId: iss })
  expect([iat - 121, iat - 120, iat + 86_520, iat + 86_521].map(at)).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('param: nowSeconds: clocks may differ by two minutes both ways', () => {
  expect(reasonOf(token({ iat: nowSeconds + 120 }))).toBe(issuer)
  expect(reasonOf(token({ iat: nowSeconds + 121 }))).toMatchInlineSnapshot(
    `"JWT validation error: JWT Token is not yet valid: basic.iat: 1700000121, now + time_leeway: 1700000120, time_leeway: 120"`,
  )
  expect(reasonOf(token({ exp: nowSeconds - 120 }))).toBe(issuer)
  expect(reasonOf(token({ exp: nowSeconds - 121 }))).toMatchInlineSnapshot(
    `"JWT validation error: JWT Token is expired: basic.exp: 1699999879, now - time_leeway: 1699999880, time_leeway: 120"`,
  )
  const far = reasonOf(token({ iat: Number.MAX_SAFE_INTEGER }))
  expect(Buffer.byteLength(far)).toBeLessThanOrEqual(123)
})

test('param: audiences: exactly ours, with or without a trailing slash', () => {
  expect(reasonOf(token({ aud: `${audience}/` }))).toBe(issuer)
  expect(reasonOf(token({ aud: 'ws://127.0.0.1:5555' }))).toBe(issuer)
  for (const aud of [
    'wss://relay.example.org',
    'wss://relay.exampl',
    '',
    'WSS://relay.example',
    '/',
  ])
    expect(reasonOf(token({ aud }))).toBe(
      'JWT validation error: JWT Token audience is not this relay',
    )
  expect(reasonOf(token({ aud: [audience] }))).toBe('JWT validation error: JWT Token is malformed')
})

test('error: issuers that are no Ed25519 did:key of 34 bytes', () => {
  const notKeys = [
    didKey([0xec, 0x01, ...rawKey]),
    didKey([0xed, 0x02, ...rawKey]),
    didKey([0xed, 0x01, ...rawKey, 0]),
    didKey([0xed, 0x01, ...rawKey.subarray(1)]),
    issuer.replace('did:key:z', 'did:key:z1'),
    issuer.replace('did:key:', ''),
    `${issuer}#key`,
    issuer.replace(/.$/, '0'),
    '',
  ]
  for (const iss of notKeys)
    expect(reasonOf(token({ iss }))).toBe(
      'JWT validation error: JWT Token issuer is not a did:key of Ed25519',
    )
})

test("error: another key's signature, no signature, other algorithms", () => {
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' })
  const wrong = 'JWT validation error: JWT Token signature is not valid'
  expect(reasonOf(token({ iss: didKey([0xed, 0x01, ...other.subarray(12)]) }))).toBe(wrong)
  expect(reasonOf(`${token()}A`)).toBe(wrong)
  expect(reasonOf(`${token()}=`)).toBe(wrong)
  const malformed = 'JWT validation error: JWT Token is malformed'
  expect(reasonOf(token({}, { alg: 'none', typ: 'JWT' }))).toBe(malformed)
  expect(reasonOf(token({}, { alg: 'HS256', typ: 'JWT' }))).toBe(malformed)
  expect(reasonOf(token().replace(/\.[^.]*$/, '.'))).toBe(malformed)
  expect(reasonOf(`${token()}.${token()}`)).toBe(malformed)
  expect(reasonOf(token({ sub: 'a'.repeat(5000) }))).toBe(malformed)
  expect(reasonOf(token({ iss: undefined }))).toBe(malformed)
  expect(reasonOf(token({ iat: String(nowSeconds) }))).toBe(malformed)
  expect(reasonOf(signPayload(Buffer.from('null')))).toBe(malformed)
  const notText = Buffer.from(JSON.stringify({ ...claims, sub: '?' })).map((byte) =>
    byte === 0x3f ? 0xff : byte,
  )
  expect(reasonOf(signPayload(notText))).toBe(malformed)
  expect(reasonOf(undefined)).toBe('JWT validation error: JWT Token is missing')
})

test('behavior: no arbitrary string is accepted as a token, and no changed token passes', () => {
  const refused = (text: string) => 'reason' in verifyRelayAuth(text, parameters)
  const part = fc.oneof(fc.string(), fc.jsonValue().map(base64Url))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((p) => p.join('.')),
      ),
      (text) => refused(text),
    ),
  )
  const good = token()
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.string({ minLength: 1, maxLength: 2 }), (at, piece) => {
      const changed = good.slice(0, at) + piece + good.slice(at + 1)
      return changed === good || refused(changed)
    }),
  )
  fc.assert(fc.property(fc.nat(good.length - 1), (length) => refused(good.slice(0, length))))
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('iss', 'sub', 'aud', 'iat', 'exp'), fc.jsonValue()),
      (changes) => {
        const known = 'reason' in verifyRelayAuth(token(changes), parameters)
        const spoils = ['iss', 'aud'].some(
          (name) => name in changes && changes[name] !== { iss: issuer, aud: audience }[name],
        )
        return known || !spoils
      },
    ),
  )
})
