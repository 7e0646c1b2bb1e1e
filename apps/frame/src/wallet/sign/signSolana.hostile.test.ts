import { bytesToHex, encodeBase58 } from '@latchkey/wire'
import { parseSolanaTransaction } from '@latchkey/wire/solana'
import { ed25519 } from '@noble/curves/ed25519.js'
import { address, createKeyPairFromPrivateKeyBytes, createNoopSigner, signBytes } from '@solana/kit'
import {
  getAllocateInstruction,
  getAssignInstruction,
  getTransferSolInstruction,
} from '@solana-program/system'
import { expect, test } from 'vitest'
import { buildTransaction, other } from '../../../test/solanaRequest.ts'
import { fromHex, toBytes, utf8 } from '../crypto/bytes.ts'
import { formatReview } from './formatReview.ts'
import { signSolanaMessage, signSolanaTransactions } from './signSolana.ts'

const key = fromHex('11'.repeat(32))
const own = address(encodeBase58(ed25519.getPublicKey(key)))
const signer = { address: own, key }
const parsed = (amount: bigint, feePayer = own) => {
  const source = createNoopSigner(own)
  const transfer = getTransferSolInstruction({ source, destination: other, amount })
  return parseSolanaTransaction(Buffer.from(buildTransaction([transfer], { feePayer }), 'base64'))
}

test('signature vectors: RFC 8032 tests 1 and 2 of ed25519', () => {
  for (const [secret, message, signature] of [
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
  ] as const)
    expect(
      bytesToHex(signSolanaMessage(fromHex(message), { address: own, key: fromHex(secret) })),
    ).toBe(signature)
})

test('signature vectors: transactions and messages get the same signatures as from @solana/kit', async () => {
  const pair = await createKeyPairFromPrivateKeyBytes(key)
  for (const amount of [1n, 2n ** 64n - 1n]) {
    const transaction = parsed(amount)
    const { message: bytes } = transaction
    const [ours] = signSolanaTransactions([{ bytes, reviewed: formatReview(transaction) }], signer)
    expect(ours).toEqual(await signBytes(pair.privateKey, bytes))
  }
  const text = utf8('Grüße')
  expect(signSolanaMessage(text, signer)).toEqual(await signBytes(pair.privateKey, text))
})

test('default: a reviewed transaction and a message are signed, exactly', () => {
  const transaction = parsed(1n)
  const { message: bytes } = transaction
  const reviewed = formatReview(transaction)
  const [signature = new Uint8Array()] = signSolanaTransactions([{ bytes, reviewed }], signer)
  expect(ed25519.verify(signature, bytes, ed25519.getPublicKey(key))).toBe(true)
  const text = utf8('Grüße')
  const signed = signSolanaMessage(text, signer)
  expect(ed25519.verify(signed, text, ed25519.getPublicKey(key))).toBe(true)
})

test('error: Solana: a transaction is never signed as a message, regardless of the page’s request', () => {
  const { message, signatures } = parsed(1n)
  const whole = Uint8Array.from([signatures.length, ...new Uint8Array(64), ...message])
  const legacy = Uint8Array.from(message.subarray(1, -1))
  for (const bytes of [message, whole, legacy, fromHex('af82'), fromHex('80'), fromHex('ff00')])
    expect(() => signSolanaMessage(toBytes(bytes), signer)).toThrow('it could be a transaction')
  const envelope = Uint8Array.from([
    ...[0xff, ...utf8('solana offchain'), 1, 1],
    ...new Uint8Array(32).fill(5),
    ...utf8('Hello'),
  ])
  expect(() => signSolanaMessage(envelope, signer)).toThrow('it is for other signers')
})

test('error: changed email: the key worker never signs a transaction that gives the account away', () => {
  const me = createNoopSigner(own)
  const allocate = getAllocateInstruction({ newAccount: me, space: 80n })
  const assign = getAssignInstruction({ account: me, programAddress: other })
  const longer = { ...allocate, data: Uint8Array.from([...allocate.data, 0]) }
  for (const instruction of [allocate, assign, longer]) {
    const bytes = Buffer.from(buildTransaction([instruction], { feePayer: own }), 'base64')
    const transaction = parseSolanaTransaction(bytes)
    const asked = { bytes: transaction.message, reviewed: formatReview(transaction) }
    expect(() => signSolanaTransactions([asked], signer)).toThrow('gives the whole account away')
  }
})

test('error: bytes that differ from what was reviewed in anything are not signed', () => {
  const transaction = parsed(1n)
  const reviewed = formatReview(transaction)
  const { message } = transaction
  for (let at = 0; at < message.length; at++) {
    const bytes = Uint8Array.from(message)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(() => signSolanaTransactions([{ bytes, reviewed }], signer)).toThrow()
  }
  for (const bytes of [message.subarray(1), Uint8Array.from([...message, 0]), utf8('Hello')])
    expect(() => signSolanaTransactions([{ bytes, reviewed }], signer)).toThrow('not a transaction')
  const { message: bytes } = parsed(2n)
  const good = { bytes: message, reviewed }
  for (const text of [reviewed, '', '{}', formatReview(parsed(1n, other))])
    expect(() => signSolanaTransactions([good, { bytes, reviewed: text }], signer)).toThrow(
      'it is not what was reviewed',
    )
})

test('error: a transaction that the account does not have to sign is not signed', () => {
  const transaction = parsed(1n)
  const reviewed = formatReview(transaction)
  const stranger = { address: other, key }
  const one = { bytes: transaction.message, reviewed }
  expect(() => signSolanaTransactions([one], stranger)).toThrow('the account does not sign it')
})
