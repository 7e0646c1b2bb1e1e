import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromCoinType, toCoinType } from './coinType.ts'

test('default: the number of an EVM network with its highest bit set, and back', () => {
  expect(toCoinType(1)).toBe(0x80000001)
  expect(toCoinType(2 ** 31 - 1)).toBe(0xffffffff)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (chainNumber) => {
      expect(fromCoinType(toCoinType(chainNumber))).toBe(chainNumber)
    }),
  )
  expect(fromCoinType(60)).toBe(1)
})

test.each([0, -1, 1.5, Number.NaN, 2 ** 31, 2 ** 31 + 1, 2 ** 32, 2 ** 53])(
  'error: the number %d belongs to no coin type',
  (chainNumber) => {
    expect(() => toCoinType(chainNumber)).toThrow(
      expect.objectContaining({ code: 'INVALID_CHAIN_ID', message: 'Invalid chainId' }),
    )
  },
)

test.each([0, 1, 61, 2 ** 31, 2 ** 32, 2 ** 32 + 1, -1, 2 ** 31 + 0.5])(
  'error: the coin type %d is of no EVM network',
  (coinType) => expect(fromCoinType(coinType)).toBeUndefined(),
)
