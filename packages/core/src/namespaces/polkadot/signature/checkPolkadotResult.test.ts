import {
  encodeAddress,
  encodePayload,
  parsePayload,
  type TransactionPayload,
} from '@latchkey/wire/polkadot'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { createPayload } from '../../../../test/injectedWallet.ts'
import { polkadot } from '../../../networks.ts'
import { checkPolkadotResult, parsePolkadotRequest } from './checkPolkadotResult.ts'

// Apache-2.0, https://github.com/polkadot-js/api: the test of ExtrinsicPayload in packages/types.
const vector = {
  address: '5DTestUPts3kjeXSTMyerHihn1uwMfLj8vU8sqF7qYrFabHE',
  blockHash: '0xde8f69eeb5e065e18c6950ff708d7e551f68dc9bf59a07c52367c0280f805ec7',
  blockNumber: '0x00231d30',
  era: '0x0703',
  genesisHash: '0xdcd1346701ca8396496e52aa2785b1748deb6db09551b72159dcb3e08991025b',
  method: '0x0600ffd7568e5f0a7eda67a82691ff379ac4bba4f9c9b859fe779b5d46363b61ad2db9e56c',
  nonce: '0x00001234',
  specVersion: '0x7b',
  tip: '0x00000000000000000000000000005678',
  transactionVersion: '0x00',
  signedExtensions: [
    'CheckSpecVersion',
    'CheckGenesis',
    'CheckMortality',
    'CheckNonce',
    'CheckWeight',
    'ChargeTransactionPayment',
  ],
  version: 4,
}
const encode = (change: object = {}) =>
  bytesToHex(encodePayload(parsePayload({ ...vector, ...change })))
/** The bytes of some extensions, which are no whole transaction. */
const encodePart = (change: object) =>
  bytesToHex(encodePayload({ ...vector, ...change } as TransactionPayload))

test('default: published encodings, without and with the version of transactions', () => {
  const start =
    '0600ffd7568e5f0a7eda67a82691ff379ac4bba4f9c9b859fe779b5d46363b61ad2db9e56c0703d148e25901007b000000'
  const end = `${vector.genesisHash.slice(2)}${vector.blockHash.slice(2)}`
  expect(encode()).toBe(`${start}${end}`)
  const [first = '', ...others] = vector.signedExtensions
  const signedExtensions = [first, 'CheckTxVersion', ...others]
  expect(encode({ signedExtensions })).toBe(`${start}00000000${end}`)
})

// https://docs.polkadot.com/polkadot-protocol/parachain-basics/data-encoding/: compact integers.
test.each([
  ['0x00', '00'],
  ['0x01', '04'],
  ['0x2a', 'a8'],
  ['0x45', '1501'],
  ['0xffff', 'feff0300'],
  ['0x5af3107a4000', '0b00407a10f35a'],
])('behavior: a nonce of %s', (nonce, expected) => {
  expect(encodePart({ method: '0xff', nonce, signedExtensions: ['CheckNonce'] })).toBe(
    `ff${expected}`,
  )
})

test('behavior: signs metadata hashes, fees in any currency, and immortal transactions', () => {
  const metadataHash = `0x${'ab'.repeat(32)}`
  const only = (name: string, change: object = {}) =>
    encodePart({ method: '0xff', signedExtensions: [name], ...change })
  expect(only('CheckMetadataHash')).toBe('ff0000')
  expect(only('CheckMetadataHash', { mode: 1, metadataHash })).toBe(`ff0101${'ab'.repeat(32)}`)
  expect(only('ChargeAssetTxPayment', { tip: '0x00', assetId: null })).toBe('ff0000')
  // As the network encodes it, with a byte before it that says that it is there.
  const assetId = '0x00020432050100'
  expect(only('ChargeAssetTxPayment', { tip: '0x01', assetId })).toBe(`ff0401${assetId.slice(2)}`)
  expect(only('CheckMortality', { era: '0x00' })).toBe(`ff00${vector.blockHash.slice(2)}`)
})

test('behavior: what is longer than 256 bytes is hashed', () => {
  const bytes = (length: number) => ({ method: `0x${'07'.repeat(length)}`, signedExtensions: [] })
  expect(encodePart(bytes(256))).toBe('07'.repeat(256))
  expect(encodePart(bytes(257))).toBe(
    bytesToHex(blake2b(new Uint8Array(257).fill(7), { dkLen: 32 })),
  )
})

test.each([
  { era: '0x0003' },
  { era: '0x07' },
  { nonce: '12' },
  { specVersion: '0x100000000' },
  { blockHash: '0x00' },
  { method: '0x0' },
  { version: 5 },
  { mode: 2 },
  // Without the extension that signs it, or no bytes.
  { assetId: '0x00' },
  { assetId: '0x', signedExtensions: ['ChargeAssetTxPayment'] },
  { assetId: { id: 1984 }, signedExtensions: ['ChargeAssetTxPayment'] },
  { signedExtensions: ['toString'] },
  { signedExtensions: [...vector.signedExtensions, 'CheckUnheardOf'] },
  // What the card shows would not be signed.
  ...vector.signedExtensions
    .filter((name) => name !== 'CheckSpecVersion' && name !== 'CheckWeight')
    .map((name) => ({ signedExtensions: vector.signedExtensions.filter((one) => one !== name) })),
])('error: %o', (change) => {
  expect(() => encode(change)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }))
})

test('undo: a number of a transaction that a network would read as its tip is refused, in any order', () => {
  const [large, small] = ['0x038d7ea4c68000', '0x05']
  const swapped = ['CheckMortality', 'ChargeTransactionPayment', 'CheckNonce', 'CheckGenesis']
  const usual = ['CheckMortality', 'CheckNonce', 'ChargeTransactionPayment', 'CheckGenesis']
  // The same bytes: the first is shown with a tip of 5, and the network takes the tip of the
  // second.
  const shown = { nonce: large, tip: small, signedExtensions: swapped }
  expect(encodePart(shown)).toBe(encodePart({ nonce: small, tip: large, signedExtensions: usual }))
  const refused = expect.objectContaining({ code: 'INVALID_PARAMS' })
  const written = [...usual.slice(0, 3), 'CheckMetadataHash']
  const withGenesis = (names: readonly string[]) => ({
    signedExtensions: ['CheckGenesis', ...names],
  })
  expect(encode(withGenesis(written))).not.toBe('')
  for (const [at, name] of written.entries()) {
    const others = written.filter((one) => one !== name)
    for (let place = 0; place <= others.length; place++)
      if (place !== at)
        expect(() => encode(withGenesis(others.toSpliced(place, 0, name)))).toThrow(refused)
    expect(() => encode(withGenesis([...written, name]))).toThrow(refused)
  }
})

test('behavior: ed25519 and ecdsa sign transactions too, and each says its type', async () => {
  const secret = new Uint8Array(32).fill(9)
  const edAccount = ed25519.getPublicKey(secret)
  const ecAccount = blake2b(secp256k1.getPublicKey(secret, true), { dkLen: 32 })
  const ask = (account: Uint8Array) => {
    const address = encodeAddress(account, 0)
    return parsePolkadotRequest({
      chainId: polkadot.caipNetworkId,
      method: 'polkadot_signTransaction',
      params: { address, transactionPayload: { ...createPayload(polkadot), address } },
    })
  }
  const edQuestion = ask(edAccount)
  const ed = bytesToHex(ed25519.sign(edQuestion.message, secret))
  expect(await checkPolkadotResult(edQuestion, { signature: ed })).toEqual({
    signature: `0x00${ed}`,
  })
  const ecQuestion = ask(ecAccount)
  const [recovery = 0, ...compact] = secp256k1.sign(
    blake2b(ecQuestion.message, { dkLen: 32 }),
    secret,
    { prehash: false, format: 'recovered' },
  )
  const ec = bytesToHex(Uint8Array.of(...compact, recovery))
  for (const signature of [ec, `0x02${ec}`])
    expect(await checkPolkadotResult(ecQuestion, { signature })).toEqual({ signature: `0x02${ec}` })
  for (const [question, signature] of [
    [edQuestion, `0x01${ed}`],
    [ecQuestion, `0x00${ec}`],
    [edQuestion, ec],
  ] as const)
    await expect(checkPolkadotResult(question, { signature })).rejects.toMatchObject({
      code: 'WALLET_SIGNED_OTHER',
    })
})
