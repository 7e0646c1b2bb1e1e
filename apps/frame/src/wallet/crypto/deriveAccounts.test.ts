import { bytesToHex } from '@latchkey/wire'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import fc from 'fast-check'
import { HDKey } from 'micro-key-producer/slip10.js'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fromHex, toBytes } from './bytes.ts'
import { deriveAccounts, toPhrase } from './deriveAccounts.ts'
import { deriveEd25519 } from './slip10.ts'

test('default: the phrase that every other wallet knows, and its first accounts', async () => {
  // BIP-39's own vector for 32 zero bytes.
  const seed = new Uint8Array(32)
  expect(toPhrase(seed)).toBe(
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art',
  )
  const { addresses } = await deriveAccounts(seed)
  expect(addresses.eip155).toBe(mnemonicToAccount(toPhrase(seed)).address)
})

test('row 57: BIP-39 vectors of 24 words', () => {
  const vectors = [
    [
      '7f'.repeat(32),
      'legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth title',
    ],
    ['ff'.repeat(32), `${'zoo '.repeat(23)}vote`],
    [
      '68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c',
      'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length',
    ],
  ] as const
  for (const [entropy, words] of vectors) expect(toPhrase(fromHex(entropy))).toBe(words)
})

test('row 57: SLIP-0010 vector 1 of ed25519, and any path as another library derives it', () => {
  const seed = fromHex('000102030405060708090a0b0c0d0e0f')
  expect(bytesToHex(deriveEd25519(seed, []))).toBe(
    '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
  )
  expect(bytesToHex(deriveEd25519(seed, [0, 1, 2, 2, 1_000_000_000]))).toBe(
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
  )
  const index = fc.nat({ max: 2 ** 31 - 1 })
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), fc.array(index), (raw, path) => {
      const text = ['m', ...path.map((each) => `${each}'`)].join('/')
      const theirs = HDKey.fromMasterSeed(raw).derive(text).privateKey
      expect(bytesToHex(deriveEd25519(toBytes(raw), path))).toBe(bytesToHex(theirs))
    }),
    { numRuns: 30 },
  )
})

test('row 57: any seed has the account that viem derives, and a Solana key of its own address', async () => {
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 })
  await fc.assert(
    fc.asyncProperty(seeds, async (raw) => {
      const seed = toBytes(raw)
      const { keys, addresses } = await deriveAccounts(seed)
      const other = mnemonicToAccount(entropyToMnemonic(seed, wordlist))
      expect(addresses.eip155).toBe(other.address)
      expect(bytesToHex(keys.eip155)).toBe(
        bytesToHex(other.getHdKey().privateKey ?? new Uint8Array()),
      )
      expect(addresses.solana).toBe(base58.encode(ed25519.getPublicKey(keys.solana)))
    }),
    { numRuns: 20 },
  )
})
