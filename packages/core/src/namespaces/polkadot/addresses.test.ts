import { bytesToHex } from '@latchkey/wire'
import { decodeSs58Address, encodeAddress, getPrefix } from '@latchkey/wire/polkadot'
import { expect, test } from 'vitest'
import { kusama, polkadot, westend } from '../../networks.ts'
import { isSameAddress, namespaceMetadata } from '../namespaceMetadata.ts'

// The development account Alice, as Substrate's documentation writes it.
const publicKey = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
const addresses = {
  [westend.caipNetworkId]: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  [polkadot.caipNetworkId]: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  [kusama.caipNetworkId]: 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F',
} as const
const all = Object.values(addresses)
const facts = namespaceMetadata.polkadot

test('default', () => {
  const account = Uint8Array.from(Buffer.from(publicKey, 'hex'))
  for (const [chainId, address] of Object.entries(addresses)) {
    expect(bytesToHex(decodeSs58Address(address) ?? new Uint8Array())).toBe(publicKey)
    expect(encodeAddress(account, getPrefix(chainId as 'polkadot:1'))).toBe(address)
    expect(facts.isAddress(address)).toBe(true)
    expect(facts.isZeroAddress(address)).toBe(false)
    expect(facts.getAddressKey(address)).toBe(publicKey)
    expect(isSameAddress({ namespace: 'polkadot', one: address, other: all[0] ?? '' })).toBe(true)
  }
  expect(facts.isZeroAddress(encodeAddress(new Uint8Array(32), 0))).toBe(true)
})

// Vectors of Substrate's `subkey` that the libraries of Polkadot's extensions also test with:
// prefixes of one and of two bytes.
test.each([
  [
    '5DA4D4GL5iakrn22h5uKoevgvo18Pqj5BcdEUv8etEDPdijA',
    42,
    '3050f8456519829fe03302da802d22d3233a5f4037b9a3e2bcc403ccfcb2d735',
  ],
  [
    '5EU9mjvZdLRGyDFiBHjxrxvQuaaBpeTZCguhxM3yMX8cpZ2u',
    42,
    '6a5a5957ce778c174c02c151e7c4917ac127b33ad8485f579f830fc15d31bc5a',
  ],
  [
    'cTGShekJ1L1UKFZR9xmv9UTJod7vqjFAPo4sDhXih2c3y1yLS',
    66,
    '04a047d52fe542484c69bc528990cfeaf3a663dded0638ee1b51cf78bacd1072',
  ],
  [
    'cnVRwXfAnz3RSVQyBUC8f8McrK3YBX2QYd4WoctpeSC6VTJYm',
    69,
    'ae640d53cfa815f4a6a50ae70235cd7d9d134d0f1c3a4ccd118e321dfb6ab51f',
  ],
  [
    'xw5g1Eec8LT99pZLZMaTWwrwvNtfM6vrSuZeVbtEszCDUwByg',
    252,
    '5c64f1151f0ce4358c27238fb20c88e7c899825436f565410724c8c2c5add869',
  ],
  [
    'yGF4JP7q5AK46d1FPCEm9sYQ4KooSjHMpyVAjLnsCSWVafPnf',
    255,
    '66cd6cf085627d6c85af1aaf2bd10cf843033e929b4e3b1c2ba8e4aa46fe111b',
  ],
  [
    'yGDYxQatQwuxqT39Zs4LtcTnpzE12vXb7ZJ6xpdiHv6gTu1hF',
    255,
    '242fd5a078ac6b7c3c2531e9bcf1314343782aeb58e7bc6880794589e701db55',
  ],
  [
    'mHm8k9Emsvyfp3piCauSH684iA6NakctF8dySQcX94GDdrJrE',
    4242,
    '44d5a3ac156335ea99d33a83c57c7146c40c8e2260a8a4adf4e7a86256454651',
  ],
  [
    'r6Gr4gaMP8TsjhFbqvZhv3YvnasugLiRJpzpRHifsqqG18UXa',
    14269,
    '88f01441682a17b52d6ae12d1a5670cf675fd254897efabaa5069eb3a701ab73',
  ],
])('default: %s, of prefix %i', (address, prefix, account) => {
  const decoded = decodeSs58Address(address) ?? new Uint8Array()
  expect(bytesToHex(decoded)).toBe(account)
  expect(facts.isAddress(address)).toBe(true)
  expect(facts.getAddressKey(address)).toBe(account)
  if (prefix < 64) expect(encodeAddress(decoded, prefix)).toBe(address)
})

test.each([
  // The ecdsa key itself, which is never used as an account id here.
  ['33 bytes', '4pbsSkWcBaYoFHrKJZp5fDVUKbqSYD9dhZZGvpp3vQ5ysVs5ybV'],
  ['a mistyped letter', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp6'],
  ['two letters swapped', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6S5p'],
  ['an address of Solana', '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS'],
  ['an address of EVM', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  ['nothing', ''],
  ['a long text', '1'.repeat(5_000)],
])('error: %s', (_, text) => {
  expect(decodeSs58Address(text)).toBeUndefined()
})
