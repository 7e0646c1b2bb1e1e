import { expect, test } from 'vitest'
import { verifyBitcoinMessage } from './verifyBitcoinMessage.ts'

const p2pkh = '14vV3aCHBeStb5bkenkNHbe2YAFinYdXgc'
const p2sh = '37qyp7jQAzqb2rCBpMvVtLDuuzKAUCVnJb'
const p2wpkh = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
const p2tr = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'
const hello = 'Hello World'

const signatures = {
  // BIP-322's own.
  empty:
    'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  hello:
    'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  otherHello:
    'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  // Bitcoin Core's tests of BIP-322.
  taproot:
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
  // The same key by the older scheme.
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
  // 31 is what many wallets write for all of them; the others are BIP-137's.
  expect(verified(31)).toEqual([true, true, true])
  expect(verified(35)).toEqual([false, true, false])
  expect(verified(39)).toEqual([false, false, true])
  for (const wrong of [0, 26, 27, 32, 43, 255])
    expect(verified(wrong)).toEqual([false, false, false])
  expect(verify(p2pkh, hello, signatures.recoverable)).toBe(false)
  expect(verify(p2tr, '', signatures.recoverable)).toBe(false)
})

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

test('error: every changed byte of a signature, and texts that are not signatures', () => {
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
