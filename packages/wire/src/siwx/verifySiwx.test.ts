import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { p2wpkh } from '@scure/btc-signer'
import { getPublicKey, secretFromSeed, sign as signSr25519 } from '@scure/sr25519'
import { expect, test } from 'vitest'
import { encodeList, encodeSize, hash256, withSize } from '../bitcoin/bytes.ts'
import { buildMessageTransactions } from '../bitcoin/messageTransactions.ts'
import { payPublicKeyHash } from '../bitcoin/scripts.ts'
import { hashWitness } from '../bitcoin/sighash.ts'
import type { ChainId } from '../caip/caip.ts'
import { encodeBase58 } from '../encoding/base58.ts'
import { bytesToHex } from '../encoding/bytesToHex.ts'
import { checksumAddress } from '../encoding/checksumAddress.ts'
import { encodeAddress } from '../polkadot/ss58.ts'
import { wrapMessage } from '../polkadot/wrapMessage.ts'
import { verifyKeySignature } from '../signatures/verifyKeySignature.ts'
import { createSiwxMessage } from './createSiwxMessage.ts'
import { verifySiwx } from './verifySiwx.ts'

const secret = Uint8Array.from({ length: 32 }, (_, at) => at + 1)
const seed = secretFromSeed(secret)
const ethereumKey = secp256k1.getPublicKey(secret, false)
const solanaKey = ed25519.getPublicKey(secret)

const bitcoinKey = secp256k1.getPublicKey(secret, true)
const bitcoinChain = 'bip122:000000000019d6689c085ae165831e93'
const { address: bitcoinAddress = '', script: bitcoinScript } = p2wpkh(bitcoinKey)

const signers: Record<string, { address: string; chainId: ChainId; sign(text: string): string }> = {
  eip155: {
    address: checksumAddress(`0x${bytesToHex(keccak_256(ethereumKey.subarray(1)).subarray(-20))}`),
    chainId: 'eip155:31337',
    sign: (text) => {
      const bytes = utf8ToBytes(text)
      const head = utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`)
      const hash = keccak_256(concatBytes(head, bytes))
      const made = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
      return `0x${bytesToHex(made.subarray(1))}${(27 + (made[0] ?? 0)).toString(16)}`
    },
  },
  solana: {
    address: encodeBase58(solanaKey),
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    sign: (text) => encodeBase58(ed25519.sign(utf8ToBytes(text), secret)),
  },
  // The header for a Ledger's Solana app, for a message with several lines.
  'solana by an off-chain message': {
    address: encodeBase58(solanaKey),
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    sign: (text) => {
      const bytes = utf8ToBytes(text)
      const head = concatBytes(
        Uint8Array.of(0xff, ...utf8ToBytes('solana offchain'), 0),
        new Uint8Array(32),
        Uint8Array.of(1, 1, ...solanaKey, bytes.length & 0xff, bytes.length >> 8),
      )
      return encodeBase58(ed25519.sign(concatBytes(head, bytes), secret))
    },
  },
  'solana by an off-chain message with the short header': {
    address: encodeBase58(solanaKey),
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    sign: (text) => {
      const bytes = utf8ToBytes(text)
      const head = [0, 0, bytes.length & 0xff, bytes.length >> 8]
      const whole = Uint8Array.of(0xff, ...utf8ToBytes('solana offchain'), ...head, ...bytes)
      return encodeBase58(ed25519.sign(whole, secret))
    },
  },
  'solana by an off-chain message of version 1': {
    address: encodeBase58(solanaKey),
    chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    sign: (text) => {
      const head = Uint8Array.of(0xff, ...utf8ToBytes('solana offchain'), 1, 1, ...solanaKey)
      return encodeBase58(ed25519.sign(concatBytes(head, utf8ToBytes(text)), secret))
    },
  },
  'bip122 by BIP-137': {
    address: bitcoinAddress,
    chainId: bitcoinChain,
    sign: (text) => {
      const bytes = utf8ToBytes(text)
      const head = utf8ToBytes('\x18Bitcoin Signed Message:\n')
      const hash = hash256(concatBytes(head, encodeSize(bytes.length), bytes))
      const made = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
      const signature = Uint8Array.from([39 + (made[0] ?? 0), ...made.subarray(1)])
      return Buffer.from(signature).toString('base64')
    },
  },
  'bip122 by BIP-322': {
    address: bitcoinAddress,
    chainId: bitcoinChain,
    sign: (text) => {
      const { toSign } = buildMessageTransactions(bitcoinScript, utf8ToBytes(text))
      const script = payPublicKeyHash(bitcoinKey)
      const hash = hashWitness({ transaction: toSign, index: 0, sighash: 1, script, value: 0n })
      const made = secp256k1.sign(hash, secret, { prehash: false, format: 'der' })
      const witness = [Uint8Array.from([...made, 1]), bitcoinKey]
      return Buffer.from(encodeList(witness.map(withSize))).toString('base64')
    },
  },
  'polkadot by sr25519': {
    address: encodeAddress(getPublicKey(seed), 0),
    chainId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    sign: (text) => `0x${bytesToHex(signSr25519(seed, wrapMessage(text)))}`,
  },
  'polkadot by ed25519': {
    address: encodeAddress(solanaKey, 0),
    chainId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    sign: (text) => `0x${bytesToHex(ed25519.sign(wrapMessage(text), secret))}`,
  },
  'polkadot by ecdsa': {
    address: encodeAddress(blake2b(secp256k1.getPublicKey(secret, true), { dkLen: 32 }), 0),
    chainId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    sign: (text) => {
      const hash = blake2b(wrapMessage(text), { dkLen: 32 })
      const made = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
      return `0x02${bytesToHex(made.subarray(1))}0${made[0]}`
    },
  },
}

const nowMs = Date.UTC(2026, 0, 31, 12)
const at = (ms: number) => new Date(nowMs + ms).toISOString()
const nonce = 'a1B2c3D4e5'
const expected = { domain: 'shop.example', nonce, nowMs }
const fields = (name: string) => ({
  domain: 'shop.example',
  accountAddress: signers[name]?.address ?? '',
  chainId: signers[name]?.chainId ?? 'eip155:1',
  statement: 'Sign in',
  uri: 'https://shop.example/login',
  version: '1' as const,
  nonce,
  issuedAt: at(0),
  expirationTime: at(300_000),
  requestId: 'r1',
  resources: ['https://shop.example/terms'],
})
const signed = (name: string, change: object = {}) => {
  const message = createSiwxMessage({ ...fields(name), ...change })
  return { message, signature: signers[name]?.sign(message) ?? '' }
}

test.each(Object.keys(signers))('default: %s', async (name) => {
  const verdict = await verifySiwx(signed(name), expected)
  expect(verdict).toEqual({ ok: true, message: fields(name) })
})

test('default: a vector of BIP-322', () => {
  const vector = {
    chainId: 'bip122:000000000019d6689c085ae165831e93',
    address: 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    message: 'Hello World',
    signature:
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  } as const
  expect(verifyKeySignature(vector)).toBe(true)
  expect(verifyKeySignature({ ...vector, message: 'Hello' })).toBe(false)
})

/**
 * The refused field if a line has an additional, a different or a missing letter, by the beginning
 * of the line.
 */
const faults: readonly (readonly [begins: string, added: string, other: string, less: string])[] = [
  ['shop.example', 'text', 'domain', 'text'],
  ['Sign in', 'signature', 'signature', 'signature'],
  ['URI', 'signature', 'uri', 'signature'],
  ['Version', 'version', 'text', 'version'],
  ['Nonce', 'nonce', 'text', 'nonce'],
  ['Issued At', 'issuedAt', 'text', 'issuedAt'],
  ['Expiration Time', 'expirationTime', 'text', 'expirationTime'],
  ['Request ID', 'signature', 'text', 'signature'],
  ['Resources', 'text', 'text', 'text'],
  ['- https', 'signature', 'signature', 'signature'],
]

test.each(Object.keys(signers))('error: %s: altered after it was signed', async (name) => {
  const { message, signature } = signed(name)
  const lines = message.split('\n')
  // Except on EVM, the network's id already has the maximum length.
  const longer = name === 'eip155' ? 'signature' : 'chainId'
  const known = [...faults, ['Chain ID', longer, 'text', 'signature'] as const]
  let refused = 0
  for (const [index, line] of lines.entries()) {
    if (line === '') continue
    const [, ...fields] = known.find(([begins]) => line.startsWith(begins)) ?? []
    const changes = [`${line}1`, line.replace(/[a-z]/, 'x'), line.slice(0, -1)]
    for (const [at, altered] of changes.entries()) {
      if (altered === line) continue
      const text = lines.with(index, altered).join('\n')
      const verdict = await verifySiwx({ message: text, signature }, expected)
      // A changed address may still have a valid form.
      const field = fields[at] ?? expect.stringMatching(/^(accountAddress|signature)$/)
      expect(verdict, altered).toEqual({ ok: false, field })
      refused++
    }
  }
  expect(refused).toBeGreaterThan(30)
  const statement = message.replace('Sign in\n\n', 'Give all\n\n')
  expect(await verifySiwx({ message: statement, signature }, expected)).toEqual({
    ok: false,
    field: 'signature',
  })
})

test.each([
  ['domain', {}, { domain: 'other.example' }],
  ['uri', { uri: 'https://other.example/login' }, {}],
  ['uri', { uri: 'javascript://shop.example' }, {}],
  ['uri', {}, { uri: 'https://shop.example/other' }],
  ['chainId', {}, { chainIds: ['eip155:1'] }],
  ['accountAddress', {}, { accountAddress: `0x${'1'.repeat(40)}` }],
  ['nonce', {}, { nonce: 'somethingElse' }],
  ['issuedAt', { issuedAt: at(120_000) }, {}],
  ['issuedAt', { issuedAt: at(-700_000) }, {}],
  ['expirationTime', { expirationTime: at(0) }, {}],
  ['notBefore', { notBefore: at(1) }, {}],
] as const)('error: %s: the message %j, expected %j', async (field, change, other) => {
  const verdict = await verifySiwx(signed('eip155', change), { ...expected, ...other })
  expect(verdict).toEqual({ ok: false, field })
})

test('behavior: an address in lower case is the same account, an address with a wrong checksum is refused', async () => {
  const { address = '', sign } = signers.eip155 ?? {}
  const verdictOf = (written: string) => {
    const message = signed('eip155').message.replace(address, written)
    return verifySiwx(
      { message, signature: sign?.(message) ?? '' },
      { ...expected, accountAddress: address },
    )
  }
  expect(await verdictOf(address.toLowerCase())).toMatchObject({ ok: true })
  const wrong = Array.from(address.toLowerCase(), (letter, at) =>
    at > 1 && at % 2 ? letter.toUpperCase() : letter,
  ).join('')
  expect(await verdictOf(wrong)).toEqual({ ok: false, field: 'accountAddress' })
})

test('error: a string that is not a sign-in message, and invalid signatures', async () => {
  const { message } = signed('eip155')
  expect(await verifySiwx({ message: 'hello', signature: '0x' }, expected)).toEqual({
    ok: false,
    field: 'text',
  })
  const wrong = ['', '0x', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, 'zz']
  for (const signature of [...wrong, signed('eip155', { nonce: 'anotherNonce' }).signature])
    expect(await verifySiwx({ message, signature }, expected)).toEqual({
      ok: false,
      field: 'signature',
    })
})

test('error: a kind of signature that is not verified is refused with its reason', async () => {
  const { message } = signed('eip155')
  const wrapped = `0x${'00'.repeat(65)}${'8010'.repeat(16)}`
  expect(await verifySiwx({ message, signature: wrapped }, expected)).toEqual({
    ok: false,
    field: 'signature',
    reason: expect.stringContaining('ERC-8010'),
  })
  const bitcoin = signed('bip122 by BIP-322')
  for (const [word, reason] of [
    ['ful', 'full form'],
    ['pof', 'proofs of funds'],
  ] as const)
    expect(
      await verifySiwx({ ...bitcoin, signature: word + bitcoin.signature }, expected),
    ).toMatchObject({ field: 'signature', reason: expect.stringContaining(reason) })
})

test('error: keys for which anyone can sign', () => {
  const signature = encodeBase58(Uint8Array.from([1, ...new Array(63).fill(0)]))
  const address = encodeBase58(Uint8Array.from([1, ...new Array(31).fill(0)]))
  const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  expect(verifyKeySignature({ chainId, address, message: 'm', signature })).toBe(false)
  const zero = encodeAddress(new Uint8Array(32), 42)
  const free = `${'00'.repeat(63)}80`
  const polkadot = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
  expect(
    verifyKeySignature({ chainId: polkadot, address: zero, message: 'm', signature: free }),
  ).toBe(false)
})

test('behavior: `verifyElsewhere` checks the signature of a contract, and only if no key has signed', async () => {
  const { message } = signed('eip155')
  const asked: unknown[] = []
  const verifyElsewhere = async (text: object) => asked.push(text) > 0
  expect(await verifySiwx(signed('eip155'), { ...expected, verifyElsewhere })).toMatchObject({
    ok: true,
  })
  expect(asked).toEqual([])
  const byContract = await verifySiwx(
    { message, signature: '0x1234' },
    { ...expected, verifyElsewhere },
  )
  expect(byContract.ok).toBe(true)
  expect(asked).toEqual([
    {
      chainId: 'eip155:31337',
      address: signers.eip155?.address,
      message,
      signature: '0x1234',
    },
  ])
})
