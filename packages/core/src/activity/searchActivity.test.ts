import type { HistoryTransaction } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { alice, bob } from '../../test/fakeWallet.ts'
import { type ActivityKind, searchActivity } from './searchActivity.ts'

const transaction = (
  hash: string,
  operationType: string,
  { symbol = 'ETH', numeric = '1' } = {},
): HistoryTransaction => ({
  id: hash,
  metadata: {
    ...{ operationType, hash, minedAt: '2026-01-01T00:00:00Z', sentFrom: alice, sentTo: bob },
    ...{ nonce: 0, chain: 'eip155:1' },
    status: 'confirmed',
  },
  transfers: [
    { fungible_info: { name: `${symbol} coin`, symbol }, direction: 'out', quantity: { numeric } },
  ],
})
const all = [
  transaction('0xaa', 'send'),
  transaction('0xbb', 'receive', { symbol: 'USDC', numeric: '250' }),
  transaction('0xcc', 'trade'),
  transaction('0xdd', 'approve'),
]
const data = {
  notes: new Map([['eip155:1:0xaa', 'Dinner on Friday']]),
  profiles: { [`eip155:1:${bob}`]: { name: 'bob.latchkey.eth' } },
  contacts: [{ namespace: 'eip155' as const, name: 'Robert', address: bob }],
}
const find = (query: string, kind?: ActivityKind) => {
  const matches = searchActivity({ query, kind })
  return all.filter((one) => !matches || matches(one, data)).map(({ metadata }) => metadata.hash)
}

test('default: nothing typed and no kind matches everything', () => {
  expect(searchActivity({ query: '  ', kind: undefined })).toBeUndefined()
})

test.each([
  ['BOB.latchkey', 4],
  ['robert', 4],
  [bob.slice(2, 12), 4],
  ['friday', 1],
  ['usdc 250', 1],
  ['usdc friday', 0],
  ['0xcc', 1],
  ['coin', 4],
])('param: query %s', (query, count) => {
  expect(find(query).length).toBe(count)
})

test('param: kind', () => {
  expect(find('', 'received')).toEqual(['0xbb'])
  expect(find('', 'sent')).toEqual(['0xaa'])
  expect(find('', 'swapped')).toEqual(['0xcc'])
  expect(find('', 'other')).toEqual(['0xdd'])
  expect(find('friday', 'received')).toEqual([])
})
