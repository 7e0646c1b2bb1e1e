import { createCipheriv } from 'node:crypto'
import { type Base64Form, decodeBase64, encodeBase64 } from '@latchkey/wire'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeText } from './bytes.ts'
import {
  deriveKey,
  generateKey,
  generateKeyPair,
  getMessageId,
  getSender,
  getTopic,
  maxEnvelopeLength,
  openEnvelope,
  sealEnvelope,
} from './crypto.ts'
import { curves, webCurves } from './curves.ts'
import { scriptCurves } from './scriptCurves.ts'

const codeOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'nothing thrown'
}

const text = fc.string({ unit: 'binary', maxLength: 300 })
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const hex32 = bytes32.map((bytes) => bytesToHex(bytes))
const encodings = fc.constantFrom<Base64Form>('base64', 'base64url')

// RFC 7748 §6.1
const bob = '5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'
const alicePublic = '8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a'
const shared = '4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'

for (const [name, from] of Object.entries({ webCurves, scriptCurves, curves })) {
  test(`behavior: ${name} agree on the secret of RFC 7748`, async () => {
    expect(bytesToHex(await from.agree(bob, alicePublic))).toBe(shared)
  })

  test(`behavior: both sides of ${name} derive one key`, async () => {
    const [a, b] = await Promise.all([generateKeyPair(from), generateKeyPair(from)])
    const key = await deriveKey(a.privateKey, b.publicKey, from)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await deriveKey(b.privateKey, a.publicKey, scriptCurves)).toBe(key)
    expect(await deriveKey(b.privateKey, a.publicKey, webCurves)).toBe(key)
  })

  test(`error: ${name} refuse malformed keys and keys of small order`, async () => {
    for (const peer of ['00'.repeat(32), `01${'00'.repeat(31)}`, '', 'zz', 'AB'.repeat(32)])
      await expect(deriveKey(bob, peer, from)).rejects.toMatchObject({ code: 'ENVELOPE_INVALID' })
    await expect(deriveKey('short', alicePublic, from)).rejects.toMatchObject({
      code: 'ENVELOPE_INVALID',
    })
  })
}

test('behavior: the key is HKDF-SHA256 without salt and info (RFC 5869, case 3)', async () => {
  const from = { ...curves, agree: async () => new Uint8Array(22).fill(0x0b) }
  expect(await deriveKey(bob, alicePublic, from)).toBe(
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d',
  )
})

test('behavior: a topic is the hash of the key, a message id the hash of the message', () => {
  expect(getTopic('00'.repeat(32))).toBe(
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925',
  )
  expect(getMessageId('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(codeOf(() => getTopic('00'))).toBe('ENVELOPE_INVALID')
  expect(generateKey()).not.toBe(generateKey())
})

test('default', () => {
  fc.assert(
    fc.property(text, hex32, hex32, encodings, (plain, key, senderPublicKey, encoding) => {
      const zero = sealEnvelope(plain, { type: 0, key }, encoding)
      const one = sealEnvelope(plain, { type: 1, key, senderPublicKey }, encoding)
      const two = sealEnvelope(plain, { type: 2 }, encoding)
      expect(openEnvelope(zero, { type: 0, key }, encoding)).toBe(plain)
      expect(openEnvelope(one, { type: 1, key }, encoding)).toBe(plain)
      expect(getSender(one, encoding)).toBe(senderPublicKey)
      expect(openEnvelope(two, { type: 2 }, encoding)).toBe(plain)
    }),
  )
})

test('behavior: type 0 is the layout another implementation writes', () => {
  fc.assert(
    fc.property(
      text,
      bytes32,
      fc.uint8Array({ minLength: 12, maxLength: 12 }),
      (plain, key, iv) => {
        const cipher = createCipheriv('chacha20-poly1305', key, iv, { authTagLength: 16 })
        const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
        const expected = concatBytes(Uint8Array.of(0), iv, sealed, cipher.getAuthTag())
        expect(sealEnvelope(plain, { type: 0, key: bytesToHex(key) }, 'base64', iv)).toBe(
          Buffer.from(expected).toString('base64'),
        )
      },
    ),
  )
})

test('behavior: sealing the same message twice gives different envelopes', () => {
  const key = generateKey()
  expect(sealEnvelope('same', { type: 0, key })).not.toBe(sealEnvelope('same', { type: 0, key }))
})

test('error: every other key, changed bit, cut and type is refused', () => {
  fc.assert(
    fc.property(text, hex32, hex32, fc.nat(), (plain, key, other, at) => {
      fc.pre(key !== other)
      const sealed = {
        0: sealEnvelope(plain, { type: 0, key }),
        1: sealEnvelope(plain, { type: 1, key, senderPublicKey: other }),
      }
      for (const type of [0, 1] as const) {
        const bytes = decodeBase64(sealed[type], 'base64') ?? new Uint8Array()
        expect(codeOf(() => openEnvelope(sealed[type], { type, key: other }))).toBe(
          'ENVELOPE_INVALID',
        )
        const wrong = { type: type === 0 ? 1 : 0, key } as const
        expect(codeOf(() => openEnvelope(sealed[type], wrong))).toBe('ENVELOPE_INVALID')
        expect(codeOf(() => openEnvelope(sealed[type], { type: 2 }))).toBe('ENVELOPE_INVALID')
        const cut = encodeBase64(bytes.subarray(0, at % bytes.length), 'base64')
        expect(codeOf(() => openEnvelope(cut, { type, key }))).toBe('ENVELOPE_INVALID')
        // The sender's key is not sealed: changing it changes the derived key.
        const start = type === 0 ? 0 : 33
        const place = start + (at % (bytes.length - start))
        const changed = bytes.with(place, (bytes[place] ?? 0) ^ 1)
        expect(codeOf(() => openEnvelope(encodeBase64(changed, 'base64'), { type, key }))).toBe(
          'ENVELOPE_INVALID',
        )
      }
    }),
  )
})

test('error: any other string is refused as an envelope', () => {
  const key = generateKey()
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    fc.uint8Array({ maxLength: 80 }).map((bytes) => encodeBase64(bytes, 'base64')),
  )
  fc.assert(
    fc.property(anything, encodings, (message, encoding) => {
      for (const type of [0, 1] as const)
        expect(codeOf(() => openEnvelope(message, { type, key }, encoding))).toBe(
          'ENVELOPE_INVALID',
        )
      expect(['ENVELOPE_INVALID', 'nothing thrown']).toContain(
        codeOf(() => openEnvelope(message, { type: 2 }, encoding)),
      )
    }),
  )
  const notText = encodeBase64(Uint8Array.of(2, 0xff, 0xfe), 'base64')
  expect(() => openEnvelope(notText, { type: 2 })).toThrowErrorMatchingInlineSnapshot(
    `[LatchkeyError: A WalletConnect message cannot be read: it is not text]`,
  )
})

test('error: the encoding is exact', () => {
  const key = generateKey()
  const message = sealEnvelope('hello', { type: 0, key })
  for (const other of [message.replace(/=+$/, ''), `${message}\n`, ` ${message}`, `${message}====`])
    if (other !== message)
      expect(codeOf(() => openEnvelope(other, { type: 0, key }))).toBe('ENVELOPE_INVALID')
  expect(decodeBase64('AB==', 'base64')).toBeUndefined()
  expect(decodeBase64('AA==', 'base64')).toEqual(Uint8Array.of(0))
})

test('behavior: an envelope holds up to 1 MiB', () => {
  const key = generateKey()
  const plain = 'x'.repeat((maxEnvelopeLength / 4) * 3 - 29 - 3)
  const message = sealEnvelope(plain, { type: 0, key })
  expect(openEnvelope(message, { type: 0, key })).toBe(plain)
  expect(codeOf(() => sealEnvelope(`${plain}xxxxxx`, { type: 0, key }))).toBe('MESSAGE_TOO_LARGE')
  const large = 'A'.repeat(maxEnvelopeLength + 4)
  expect(codeOf(() => openEnvelope(large, { type: 0, key }))).toBe('ENVELOPE_INVALID')
})

test('behavior: signatures of RFC 8032 by both curves', async () => {
  const keys = {
    privateKey: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  }
  for (const from of [webCurves, scriptCurves]) {
    const signature = await from.sign(keys, encodeText(''))
    expect(bytesToHex(signature)).toBe(
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    )
    expect(await from.verify(keys.publicKey, signature, encodeText(''))).toBe(true)
    expect(await from.verify(keys.publicKey, signature, encodeText('x'))).toBe(false)
    expect(await from.verify(keys.publicKey, signature.subarray(1), encodeText(''))).toBe(false)
  }
})
