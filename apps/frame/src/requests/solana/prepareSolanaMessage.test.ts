import { decodeBase58, encodeBase58 } from '@latchkey/wire'
import {
  address,
  getOffchainMessageEncoder,
  type OffchainMessage,
  offchainMessageApplicationDomain,
} from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { other, own, solanaChain } from '../../../test/solanaRequest.ts'
import { createTestRequest, prepareRequest } from '../../../test/testRequest.ts'
import { isTransaction } from '../../wallet/sign/isTransaction.ts'
import { parseOffchainMessage } from '../../wallet/sign/parseOffchainMessage.ts'

/** The message of a transfer: one signer, three accounts, a blockhash, one instruction. */
const transfer = [
  ...[1, 0, 1, 3],
  ...[1, 2, 3].flatMap((byte) => new Array<number>(32).fill(byte)),
  ...new Array<number>(32).fill(9),
  ...[1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
]
const signature = new Array<number>(64).fill(0)
const utf8 = (text: string) => new TextEncoder().encode(text)
const view = async (message: Uint8Array) =>
  (
    await prepareRequest(
      createTestRequest({
        method: 'solana_signMessage',
        params: { message: encodeBase58(message), pubkey: own },
        read: () => Promise.reject(new Error('Nothing is read here')),
        keys: { do: () => Promise.reject(new Error('Nothing is signed here')) },
        chain: solanaChain,
        accounts: { eip155: '0x', solana: own },
      }),
    )
  ).view
const domain = offchainMessageApplicationDomain('So11111111111111111111111111111111111111112')
const envelope = (text: string, signer = own, version: 0 | 1 = 0) =>
  Uint8Array.from(
    getOffchainMessageEncoder().encode({
      version,
      requiredSignatories: [{ address: address(signer) }],
      ...(version === 0
        ? { applicationDomain: domain, content: { format: 1, text } }
        : { content: text }),
    } as unknown as OffchainMessage),
  )

test('Solana: a legacy transaction is refused as a message, with its signatures or without', () => {
  expect(isTransaction(Uint8Array.from(transfer))).toBe(true)
  expect(isTransaction(Uint8Array.from([1, ...signature, ...transfer]))).toBe(true)
  // A byte too many or too few: the network runs neither.
  expect(isTransaction(Uint8Array.from([...transfer, 0]))).toBe(false)
  expect(isTransaction(Uint8Array.from(transfer.slice(0, -1)))).toBe(false)
})

test('Solana: refuses bytes that begin like a versioned transaction, with any content after that', async () => {
  for (let first = 0x80; first <= 0xbf; first++)
    expect(isTransaction(Uint8Array.from([first, ...transfer]))).toBe(true)
  expect(isTransaction(Uint8Array.from([1, ...signature, 0x80, ...transfer, 0]))).toBe(true)
  expect(isTransaction(Uint8Array.from([0xff, ...utf8('solana offchain'), 0]))).toBe(true)
  expect((await view(Uint8Array.from([0x81]))).blocked).toContain('transaction in disguise')
})

test('Solana: shows a well-formed off-chain message as text, and blocks a message for other signers', async () => {
  for (const version of [0, 1] as const) {
    const shown = await view(envelope('Grüße', own, version))
    expect(shown.rows[0]).toEqual({ label: 'Message', text: 'Grüße' })
    expect(shown.warnings).toEqual([])
    expect(shown.blocked).toBeUndefined()
    const foreign = await view(envelope('Hello', other, version))
    expect(foreign.blocked).toContain('other accounts')
  }
  expect((await view(envelope('Hello'))).rows[1]).toMatchObject({ address: domain })
  const siws = 'evil.example wants you to sign in with your Solana account:\nme\n\nURI: x'
  expect((await view(envelope(siws))).blocked).toBeTypeOf('string')
})

test('Solana: the off-chain messages that @solana/kit tests itself with', () => {
  // anza-xyz/kit, packages/offchain-messages/src/__tests__/message-v0-codec-test.ts; the
  // specification is
  // https://docs.anza.xyz/proposals/off-chain-message-signing.
  const signerA = '0cfe2cc952550e94c725639a4bd11d4ea5a6383651c308b718c3aef286bca1af'
  const signerB = '0cfe2cc9525c95efb972c0c5b7ae0fd520d97e948fd8bb2c10a10102ce98b3a6'
  const application = '0d3b730b9e889b4b661ed2a3ce191f68d37da7443206a182b946891e00000000'
  const message = (format: string, length: string, text: string, count = '02') =>
    Uint8Array.from(
      Buffer.from(
        `ff736f6c616e61206f6666636861696e00${application}${format}${count}${signerA}${signerB}${length}${text}`,
        'hex',
      ),
    )
  const read = {
    domain: 'testdomain111111111111111111111111111111111',
    signers: [
      'signerAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      'signerBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB',
    ],
  }
  const ascii = '48656c6c6f0a776f726c64'
  expect(parseOffchainMessage(message('00', '0b00', ascii))).toEqual({
    ...read,
    text: 'Hello\nworld',
  })
  const hand = 'e29c8cf09f8fbf636f6f6c'
  expect(parseOffchainMessage(message('01', '0b00', hand))).toEqual({ ...read, text: '✌🏿cool' })
  expect(parseOffchainMessage(message('02', '0b00', hand))).toEqual({ ...read, text: '✌🏿cool' })
  for (const refused of [
    message('00', '0100', '09'),
    message('00', '0b00', hand),
    message('00', '0000', ''),
    message('00', '0b00', '21'.repeat(12)),
    message('00', 'd104', '21'.repeat(1233)),
    message('00', '0b00', ascii, '00'),
    message('03', '0b00', ascii),
  ])
    expect(parseOffchainMessage(refused)).toBeUndefined()
})

test('error: a truncated, longer or changed off-chain message is refused, or is a different message', () => {
  const bytes = envelope('Hello')
  // After sixteen bytes, the version and the domain. Plain ASCII is the same text in each of the
  // three formats.
  const format = 49
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      fc.pre(at !== format || change > 3 || change === 2)
      expect(parseOffchainMessage(bytes.subarray(0, at))).toBeUndefined()
      const changed = Uint8Array.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ change
      expect(parseOffchainMessage(changed)).not.toEqual(parseOffchainMessage(bytes))
    }),
  )
  expect(parseOffchainMessage(Uint8Array.from([...bytes, 0]))).toBeUndefined()
})

test('behavior: plain text is not a transaction', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => !isTransaction(utf8(text))))
})

test('default: base58 there and back', () => {
  expect(encodeBase58(Uint8Array.from([0, 0, 1, 255]))).toBe('119p')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(decodeBase58(encodeBase58(bytes))).toEqual(Uint8Array.from(bytes))
    }),
  )
  expect(decodeBase58('0OIl')).toBeUndefined()
})
