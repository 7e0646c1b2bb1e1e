import { bytesToHex } from '@latchkey/wire'
import { decodeAddress, encodeAddress, getPrefix } from '@latchkey/wire/polkadot'
import { expect, test } from 'vitest'
import { kusama, polkadot, westend } from '../../networks.ts'
import { isSameAddress, namespaceFacts } from '../namespaceFacts.ts'

// The development account Alice, as Substrate's documentation writes it.
const publicKey = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d'
const addresses = {
  [westend.caipNetworkId]: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
  [polkadot.caipNetworkId]: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  [kusama.caipNetworkId]: 'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F',
} as const
const all = Object.values(addresses)
const facts = namespaceFacts.polkadot

test('default', () => {
  const account = Uint8Array.from(Buffer.from(publicKey, 'hex'))
  for (const [chainId, address] of Object.entries(addresses)) {
    expect(bytesToHex(decodeAddress(address) ?? new Uint8Array())).toBe(publicKey)
    expect(encodeAddress(account, getPrefix(chainId as 'polkadot:1'))).toBe(address)
    expect(facts.isAddress(address)).toBe(true)
    expect(facts.isZeroAddress(address)).toBe(false)
    expect(facts.getAddressKey(address)).toBe(publicKey)
    expect(isSameAddress({ namespace: 'polkadot', one: address, other: all[0] ?? '' })).toBe(true)
  }
  expect(facts.isZeroAddress(encodeAddress(new Uint8Array(32), 0))).toBe(true)
})

test.each([
  ['a mistyped letter', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp6'],
  ['two letters swapped', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6S5p'],
  ['an address of Solana', '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS'],
  ['an address of EVM', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  ['nothing', ''],
  ['a long text', '1'.repeat(5_000)],
])('error: %s', (_, text) => {
  expect(decodeAddress(text)).toBeUndefined()
})
