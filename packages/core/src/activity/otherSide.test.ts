import type { HistoryTransaction } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { alice, bob } from '../../test/fakeWallet.ts'
import { getNameableSides, getOtherSide } from './otherSide.ts'

const viewer = { namespace: 'eip155', address: alice } as const
const addressAt = (number: number) => `0x${number.toString(16).padStart(40, '0')}`
const transaction = (
  sentFrom: string,
  sentTo: string,
  metadata: Partial<HistoryTransaction['metadata']> = {},
): HistoryTransaction => ({
  id: `${sentFrom} ${sentTo}`,
  metadata: {
    ...{ operationType: 'send', hash: '0x1', minedAt: '2026-01-01T00:00:00Z', sentFrom, sentTo },
    ...{ nonce: 0, chain: 'eip155:1' },
    status: 'confirmed',
    ...metadata,
  },
  transfers: [],
})
const find = (transactions: HistoryTransaction[], known: string[] = [], limit = 3) =>
  getNameableSides(transactions, { ...viewer, known, limit })

test('default: the receiver of what the account sent, and the sender of the rest', () => {
  expect(getOtherSide(transaction(alice.toLowerCase(), bob), viewer)).toBe(bob)
  expect(getOtherSide(transaction(bob, alice), viewer)).toBe(bob)
})

test('default: each side once, and no more than the limit', () => {
  const list = [1, 1, 2, 3, 4].map((number) => transaction(alice, addressAt(number)))
  expect(find(list)).toEqual([1, 2, 3].map(addressAt))
})

test('behavior: contracts, applications, the account itself and the zero address have no name', () => {
  expect(
    find([
      transaction(alice, bob, { operationType: 'approve' }),
      transaction(alice, bob, { application: { name: 'Shop', iconUrl: null } }),
      transaction(alice, alice),
      transaction(alice, addressAt(0)),
      transaction(alice, ''),
    ]),
  ).toEqual([])
})

test('address poisoning: the name of an address that imitates a known address is not requested', () => {
  const imitation = `${bob.slice(0, 6)}${'1'.repeat(30)}${bob.slice(-6)}`
  expect(find([transaction(imitation, alice), transaction(alice, bob)], [bob])).toEqual([bob])
})
