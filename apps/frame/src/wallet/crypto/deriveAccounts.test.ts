import { bytesToHex } from '@latchkey/wire'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import fc from 'fast-check'
import { HDKey } from 'micro-key-producer/slip10.js'
import { HDKey as Bip32Key, mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fromHex, toBytes } from './bytes.ts'
import { deriveAccounts, toPhrase } from './deriveAccounts.ts'
import { deriveEd25519, deriveSecp256k1 } from './slip10.ts'

test('default: the well-known test phrase, and its first accounts', async () => {
  // BIP-39's own vector for 32 zero bytes.
  const seed = new Uint8Array(32)
  expect(toPhrase(seed)).toBe(
    'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art',
  )
  const { addresses } = await deriveAccounts(seed)
  expect(addresses.eip155).toBe(mnemonicToAccount(toPhrase(seed)).address)
})

test('signature vectors: BIP-39 vectors of 24 words', () => {
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

test('signature vectors: SLIP-0010 vectors 1 and 2 of ed25519, and any path as another library derives it', () => {
  const seed = fromHex('000102030405060708090a0b0c0d0e0f')
  for (const [path, key] of [
    [[], '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7'],
    [[0], '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
    [[0, 1], 'b1d0bad404bf35da785a64ca1ac54b2617211d2777696fbffaf208f746ae84f2'],
    [[0, 1, 2], '92a5b23c0b8a99e37d07df3fb9966917f5d06e02ddbd909c7e184371463e9fc9'],
    [[0, 1, 2, 2], '30d1dc7e5fc04c31219ab25a27ae00b50f6fd66622f6e9c913253d6511d1e662'],
    [
      [0, 1, 2, 2, 1_000_000_000],
      '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
    ],
  ] as const)
    expect(bytesToHex(deriveEd25519(seed, path))).toBe(key)
  // https://github.com/satoshilabs/slips/blob/master/slip-0010.md, test vector 2 for ed25519.
  const second = fromHex(
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
  )
  for (const [path, key] of [
    [[], '171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012'],
    [[0], '1559eb2bbec5790b0c65d8693e4d0875b1747f4970ae8b650486ed7470845635'],
    [[0, 2_147_483_647], 'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4'],
    [[0, 2_147_483_647, 1], '3757c7577170179c7868353ada796c839135b3d30554bbb74a4b1e4a5a58505c'],
    [
      [0, 2_147_483_647, 1, 2_147_483_646],
      '5837736c89570de861ebc173b1086da4f505d4adb387c6a1b1342d5e4ac9ec72',
    ],
    [
      [0, 2_147_483_647, 1, 2_147_483_646, 2],
      '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
    ],
  ] as const)
    expect(bytesToHex(deriveEd25519(second, path))).toBe(key)
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

test('default: BIP-32 vectors 1 and 3, and any path as another library derives it', () => {
  const vectors = [
    [
      '000102030405060708090a0b0c0d0e0f',
      ['m', 'e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35'],
      ["m/0'", 'edb2e14f9ee77d26dd93b4ecede8d16ed408ce149b6cd80b0715a2d911a0afea'],
      ["m/0'/1", '3c6cb8d0f6a264c91ea8b5030fadaa8e538b020f0a387421a12de9319dc93368'],
      ["m/0'/1/2'", 'cbce0d719ecf7431d88e6a89fa1483e02e35092af60c042b1df2ff59fa424dca'],
      ["m/0'/1/2'/2", '0f479245fb19a38a1954c5c7c0ebab2f9bdfd96a17563ef28a6a4b1a2a764ef4'],
      [
        "m/0'/1/2'/2/1000000000",
        '471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8',
      ],
    ],
    // Keys that begin with a zero.
    [
      '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
      ['m', '00ddb80b067e0d4993197fe10f2657a844a384589847602d56f0c629c81aae32'],
      ["m/0'", '491f7a2eebc7b57028e0d3faa0acda02e75c33b03c48fb288c41e2ea44e1daef'],
    ],
  ] as const
  for (const [seed, ...keys] of vectors)
    for (const [path, key] of keys)
      expect(bytesToHex(deriveSecp256k1(fromHex(seed), path))).toBe(key)
  const step = fc
    .tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.constantFrom('', "'"))
    .map(([index, mark]) => `${index}${mark}`)
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), fc.array(step), (raw, steps) => {
      const path = ['m', ...steps].join('/')
      const theirs = Bip32Key.fromMasterSeed(raw).derive(path).privateKey ?? new Uint8Array()
      expect(bytesToHex(deriveSecp256k1(toBytes(raw), path))).toBe(bytesToHex(theirs))
    }),
    { numRuns: 30 },
  )
})

test('signature vectors: any seed has viem’s account, and a Solana key with a separate address', async () => {
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
