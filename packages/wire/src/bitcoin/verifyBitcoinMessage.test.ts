import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildMessageTransactions } from './messageTransactions.ts'
import { parseBitcoinAddress } from './parseBitcoinAddress.ts'
import { hashTransaction } from './transaction.ts'
import { verifyBitcoinMessage } from './verifyBitcoinMessage.ts'

const p2pkh = '14vV3aCHBeStb5bkenkNHbe2YAFinYdXgc'
const p2sh = '37qyp7jQAzqb2rCBpMvVtLDuuzKAUCVnJb'
const p2wpkh = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
const p2tr = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
const hello = 'Hello World'

const signatures = {
  // BIP-322's test vector.
  empty:
    'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  hello:
    'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  otherHello:
    'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  // Bitcoin Core's tests of BIP-322.
  taproot:
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
  // The same key with the older scheme.
  recoverable:
    'H0Gm/ylcjvGmj29D/r6ASHKKWAyGA/MEU/Eh+IhFw3ZxFxy9b/dJ8/XFsiutCV8DWlFGnO95m/KoZwFPJTF1qaM=',
}

const verify = (address: string, message: string, signature: string) =>
  verifyBitcoinMessage({ address, network: 'mainnet', message, signature })
const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex')

test('default: BIP-322 simple, of P2WPKH and P2TR, as base64, with its word, or hex', () => {
  expect(verify(p2wpkh, '', signatures.empty)).toBe(true)
  expect(verify(p2wpkh, hello, signatures.hello)).toBe(true)
  expect(verify(p2wpkh, hello, signatures.otherHello)).toBe(true)
  expect(verify(p2tr, hello, signatures.taproot)).toBe(true)
  expect(verify(p2tr, hello, `smp${signatures.taproot}`)).toBe(true)
  expect(verify(p2tr, hello, toHex(signatures.taproot))).toBe(true)
})

test('behavior: a recoverable signature is good for the kinds of address that its first byte names', () => {
  const withHeader = (header: number) => {
    const bytes = Buffer.from(signatures.recoverable, 'base64')
    bytes[0] = header
    return bytes.toString('base64')
  }
  const verified = (header: number) =>
    [p2pkh, p2sh, p2wpkh].map((address) => verify(address, '', withHeader(header)))
  // Many wallets write 31 for all of them; BIP-137 defines the others.
  expect(verified(31)).toEqual([true, true, true])
  expect(verified(35)).toEqual([false, true, false])
  expect(verified(39)).toEqual([false, false, true])
  for (const wrong of [0, 26, 27, 32, 43, 255])
    expect(verified(wrong)).toEqual([false, false, false])
  expect(verify(p2pkh, hello, signatures.recoverable)).toBe(false)
  expect(verify(p2tr, '', signatures.recoverable)).toBe(false)
})

// BIP-322's `basic-test-vectors.json`.
const multisig = 'bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9'
const multisigSignature =
  'smpBQBHMEQCIFX9aaqPJWq2Ff2kpen5bFDTid+ehgUOpHV0LfjncXy4AiA3GNicF7aKPzdpa9PCpmaYQs3pHd+qbvvhXdxOCKCAMAFIMEUCIQD/ELXg6CNYyUQijCg96JtgvgjZb9dsl1Ctof4QAeyTcQIgVM/1AAblFl/DCt6A1gJg+T/i2qU5SQD09+chFJzolRwBSDBFAiEAlqRfSFyWNVQhvaCnmeV5tyneiCWMTcFbuujoD/pFa3wCIGnZjfQb8NolSYq9asV+ZeBSkCGHJcqnaV4JYS5MYPEGAWlTIQJ1aLEfEi/4p7wcV+XHZCBVvGGJZ7L3v+jhH+mZA8lN0yECCovfec+kIdllXpKCgA8RX/HZ2x5yHOtCSKP8/sf6pnwhAwxSng6kCgCXXSAmJOOZFdr3vdK3HzGqCFloOHgc5fM6U64='

test.each([
  [
    '',
    'c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7',
    '1e9654e951a5ba44c8604c4de6c67fd78a27e81dcadcfe1edf638ba3aaebaed6',
  ],
  [
    hello,
    'b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b',
    '88737ae86f2077145f93cc4b153ae9a1cb8d56afa511988c149c5c8c9d93bddf',
  ],
  [
    'UTF-8 support: öäüéàè 测试文本 \u{1f604}',
    'c8f4f525fe8afb1bc09b44175bd2096f079c98425e8a1be676b712add1fb62f0',
    '8f488e06b89eafd019ec528109eafaf7f1d1811fd617aa1eeb9658f1c1be6586',
  ],
])('default: BIP-322’s virtual transactions of “%s”', (message, spend, sign) => {
  const { script = new Uint8Array() } = parseBitcoinAddress(p2wpkh, 'mainnet') ?? {}
  const text = new TextEncoder().encode(message)
  const { toSpend, toSign } = buildMessageTransactions(script, text)
  const [spendId, signId] = [toSpend, toSign].map((one) =>
    Buffer.from(hashTransaction(one).reverse()).toString('hex'),
  )
  expect([spendId, signId]).toEqual([spend, sign])
})

test('default: BIP-322’s signatures of its simple form', () => {
  const otherEmpty =
    'AkgwRQIhAPkJ1Q4oYS0htvyuSFHLxRQpFAY56b70UvE7Dxazen0ZAiAtZfFz1S6T6I23MWI2lK/pcNTWncuyL8UL+oMdydVgzAEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy'
  for (const signature of [signatures.empty, otherEmpty])
    expect(verify(p2wpkh, '', `smp${signature}`)).toBe(true)
  for (const signature of [signatures.hello, signatures.otherHello])
    expect(verify(p2wpkh, hello, `smp${signature}`)).toBe(true)
  const withoutPrefix =
    'AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R'
  const address = 'bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler'
  expect(verify(address, 'No prefix fallback', withoutPrefix)).toBe(true)
})

test('default: a P2WSH multisig verifies, and does not verify with a byte changed', () => {
  const message = 'This will be a p2wsh 3-of-3 multisig BIP 322 signed message'
  expect(verify(multisig, message, multisigSignature)).toBe(true)
  const bytes = Buffer.from(multisigSignature.replace(/^smp/, ''), 'base64')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(verify(multisig, message, changed.toString('base64'))).toBe(false)
  }
})

test.each([
  ['invalid base64 encoding', '', p2wpkh, 'not-valid-base64!!!'],
  ['empty signature', '', p2wpkh, ''],
  ['wrong message', 'Wrong message that was not signed', p2wpkh, `smp${signatures.empty}`],
  ['wrong address', '', multisig, `smp${signatures.empty}`],
  ['empty witness stack', '', p2wpkh, 'smpAA=='],
  [
    'wrong message of a multisig',
    'This is not the message that was signed',
    multisig,
    multisigSignature,
  ],
  ['invalid signature prefix', '', p2wpkh, 'fooAA=='],
  [
    'incorrect prefix type',
    'incorrect prefix',
    'bc1pyrgrm6cu6n54jrvkdjd9rvyd3xfyu84s2623awu2srn6mxhscwpsm5644w',
    'fulAUDZwFXUp+adN+/UZj5dVrGAbB3zKs1Vcalz5fCF9srxS63eSWNGvH1NYbrBkPt1BJDUyWUz9zgUxfc63/QheT6M',
  ],
])('error: BIP-322’s %s', (_, message, address, signature) => {
  expect(verify(address, message, signature)).toBe(false)
})

type Vector = { type: string; message: string; address: string; signature: string }
type SimpleVector = Vector & { wrongMessage: string; wrongSigner: string }
/**
 * The vectors of BIP-322's `generated-test-vectors.json`, including its wrong messages and signers.
 */
const vectors: { simple: readonly SimpleVector[]; full: readonly Vector[] } = JSON.parse(
  readFileSync(new URL('../../test/bip322Vectors.json', import.meta.url), 'utf8'),
)

test.each(vectors.simple)(
  'default: BIP-322’s generated signatures, simple form of $type',
  (vector) => {
    const { message, address, signature, wrongMessage, wrongSigner } = vector
    for (const text of [signature, `smp${signature}`, toHex(signature)])
      expect(verify(address, message, text)).toBe(true)
    expect(verify(address, wrongMessage, signature)).toBe(false)
    expect(verify(wrongSigner, message, signature)).toBe(false)
    expect(parseBitcoinAddress(wrongSigner, 'mainnet')).toBeDefined()
  },
)

test.each(vectors.full)(
  'error: BIP-322’s generated signatures, full form of $type, which is not verified',
  (vector) => {
    const { message, address, signature } = vector
    expect(parseBitcoinAddress(address, 'mainnet')).toBeDefined()
    for (const text of [signature, `ful${signature}`, `smp${signature}`])
      expect(verify(address, message, text)).toBe(false)
  },
)

test('error: another message, address, network or signature', () => {
  expect(verify(p2wpkh, `${hello}!`, signatures.hello)).toBe(false)
  expect(verify(p2wpkh, hello, signatures.empty)).toBe(false)
  expect(verify(p2tr, `${hello}!`, signatures.taproot)).toBe(false)
  expect(verify(p2tr, hello, signatures.hello)).toBe(false)
  expect(verify(p2wpkh, hello, signatures.taproot)).toBe(false)
  const other = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  expect(verify(other, hello, signatures.hello)).toBe(false)
  const regtest = { address: p2wpkh, network: 'regtest', message: hello } as const
  expect(verifyBitcoinMessage({ ...regtest, signature: signatures.hello })).toBe(false)
})

test('error: a signature with any changed byte, and strings that are not signatures', () => {
  for (const [address, base64] of [
    [p2wpkh, signatures.hello],
    [p2tr, signatures.taproot],
  ] as const) {
    const bytes = Buffer.from(base64, 'base64')
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(verify(address, hello, changed.toString('base64'))).toBe(false)
    }
  }
  for (const nonsense of ['', 'smp', 'zz', '====', 'AA==', 'ff'.repeat(65), 'A'.repeat(1_000_000)])
    expect(verify(p2wpkh, hello, nonsense)).toBe(false)
})
