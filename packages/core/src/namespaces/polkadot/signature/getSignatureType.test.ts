import { decodeSs58Address } from '@latchkey/wire/polkadot'
import { expect, test } from 'vitest'
import { createKey, signMessage } from '../../../../test/injectedWallet.ts'
import { getSignatureType } from './getSignatureType.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const encode = (text: string) => new TextEncoder().encode(text)
const verify = (address: string, text: string, hex: string) =>
  getSignatureType({
    account: decodeSs58Address(address) as Uint8Array,
    message: encode(text),
    signature: bytes(hex),
  })

// Signatures that the libraries of Polkadot's extensions test themselves with.
const vectors = [
  [
    'sr25519',
    'EK1bFgKm2FsghcttHT7TB7rNyXApFgs9fCbijMGQNyFGBQm',
    'hello world',
    'ca01419b5a17219f7b78335658cab3b126db523a5df7be4bfc2bef76c2eb3b1dcf4ca86eb877d0a6cf6df12db5995c51d13b00e005d053b892bd09c594434288',
  ],
  [
    'sr25519',
    'J9nD3s7zssCX7bion1xctAF6xcVexcpy2uwy4jTm9JL8yuK',
    '<Bytes>hello world</Bytes>',
    '84b6afb1c8e54bbcb3f4872baf172580e21310e9387a53742627d6652d121447fa406b82805ed3184fb7bd519175cc9f99f283f97954d95cf966ee164df85489',
  ],
  [
    'ed25519',
    'DxN4uvzwPzJLtn17yew6jEffPhXQfdKHTp2brufb98vGbPN',
    'hello world',
    '299d3bf4c8bb51af732f8067b3a3015c0862a5ff34721749d8ed6577ea2708365d1c5f76bd519009971e41156f12c70abc2533837ceb3bad9a05a99ab923de06',
  ],
  [
    'ecdsa',
    'XyFVXiGaHxoBhXZkSh6NS2rjFyVaVNUo5UiZDqZbuSfUdji',
    'hello world',
    '994638ee586d2c5dbd9bacacbc35d9b7e9018de8f7892f00c900db63bc57b1283e2ee7bc51a9b1c1dae121ac4f4b9e2a41cd1d6bf4bb3e24d7fed6faf6d85e0501',
  ],
] as const

test.each(vectors)('default: %s of %s', async (type, address, text, signature) => {
  expect(await verify(address, text, signature)).toBe(type)
  expect(await verify(address, `${text} `, signature)).toBe(undefined)
  const [first, second] = vectors
  const other = address === first[1] ? second[1] : first[1]
  expect(await verify(other, text, signature)).toBe(undefined)
  for (const at of [0, 31, 32, 62]) {
    const changed = bytes(signature)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(await verify(address, text, Buffer.from(changed).toString('hex'))).toBe(undefined)
  }
})

test('behavior: messages of all lengths, across the blocks of the transcript', async () => {
  const key = createKey(7)
  for (const length of [0, 1, 100, 165, 166, 167, 331, 1_000]) {
    const message = new Uint8Array(length).fill(length)
    const signature = signMessage(key, message)
    expect(await getSignatureType({ account: key.publicKey, message, signature })).toBe('sr25519')
  }
})

test('error: what is no signature', async () => {
  const account = createKey(7).publicKey
  for (const length of [0, 63, 64, 65, 66])
    for (const byte of [0, 0x80, 0xff])
      expect(
        await getSignatureType({
          account,
          message: encode('x'),
          signature: new Uint8Array(length).fill(byte),
        }),
      ).toBe(undefined)
})
