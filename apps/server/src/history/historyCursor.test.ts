import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHistoryCursor, writeHistoryCursor } from './historyCursor.ts'

const scope = { address: '0x00000000000000000000000000000000000000a1', filter: 'eip155:1' }
const place = {
  minedAtMs: 1_795_000_000_000,
  chainId: 'eip155:1',
  blockNumber: 21_000_000n,
  index: 17,
} as const

test('default: comes back as it was', () => {
  const places = fc.record({
    minedAtMs: fc.integer({ min: 0, max: 2 ** 47 }),
    chainId: fc.integer({ min: 1 }).map((id) => `eip155:${id}` as const),
    blockNumber: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
    index: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  })
  fc.assert(
    fc.property(places, (one) => {
      const text = writeHistoryCursor(one, scope)
      expect(text).toMatch(/^[\w-]{58}$/)
      expect(readHistoryCursor(text, scope)).toEqual(one)
    }),
  )
})

test.each([
  ['another address', { ...scope, address: '0x00000000000000000000000000000000000000b2' }],
  ['another network', { ...scope, filter: 'eip155:10' }],
  ['no network', { ...scope, filter: '' }],
])('error: of %s', (_, other) => {
  expect(readHistoryCursor(writeHistoryCursor(place, scope), other)).toBeUndefined()
})

test.each([
  ['a block', { ...place, blockNumber: 2n ** 63n }],
  ['an index', { ...place, index: 2 ** 31 }],
])('error: written by somebody else, with %s that no chain has', (_, other) => {
  expect(readHistoryCursor(writeHistoryCursor(other, scope), scope)).toBeUndefined()
})

test('error: any other text', () => {
  const good = writeHistoryCursor(place, scope)
  for (const text of ['', '0', 'x'.repeat(58), `${good}=`, `${good} `, good.slice(1), '../../etc'])
    expect(readHistoryCursor(text, scope)).toBeUndefined()
  fc.assert(
    fc.property(
      fc.nat(good.length - 1),
      fc.string({ minLength: 1, maxLength: 1 }),
      (at, letter) => {
        const text = good.slice(0, at) + letter + good.slice(at + 1)
        expect(readHistoryCursor(text, scope)).toEqual(text === good ? place : undefined)
      },
    ),
  )
})
