import { expect, test } from 'vitest'
import { chooseReceiver } from './chooseReceiver.ts'

const name = 'alice.eth'
const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test.each([
  ['leads to the account', { status: 'found', address: alice.toLowerCase() }, name],
  ['leads to another account', { status: 'found', address: bob }, alice],
  ['is not resolved yet', { status: 'loading' }, alice],
  ['does not exist', { status: 'unknown' }, alice],
  ['is an address of another network', { status: 'invalid' }, alice],
  ['could not be looked up', { status: 'failed' }, alice],
] as const)('security: a link names the account, if its name %s', (_, payee, expected) => {
  expect(chooseReceiver({ name, payee, namespace: 'eip155', address: alice })).toBe(expected)
})

test('behavior: the case of a Solana address counts', () => {
  const address = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'
  const payee = { status: 'found', address: address.toLowerCase() } as const
  expect(chooseReceiver({ name, payee, namespace: 'solana', address })).toBe(address)
})
