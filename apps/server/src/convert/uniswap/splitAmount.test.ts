import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '../../evm/hex.ts'
import { getAmounts } from './encodeOrder.ts'
import { getV2Output } from './hops.ts'
import { getShare, type PathQuote, parts } from './readMarket.ts'
import { splitAmount, sum } from './splitAmount.ts'

const pool = (digit: string) => ({
  address: `0x${digit.repeat(40)}` as Hex,
  fee: 3_000,
  first: '0x1' as Hex,
  second: '0x2' as Hex,
  held: ['1', '1'] as const,
})

/** A path through a pair with these reserves. */
function toQuote(reserves: readonly [bigint, bigint], amount: bigint, digit: string): PathQuote {
  const outputs = Array.from({ length: parts }, (_, index) => {
    const output = getV2Output(getShare(amount, index), reserves)
    return output > 0n ? output : undefined
  })
  return {
    path: { version: 'v2', tokens: ['0x1', '0x2'], pools: [pool(digit)] },
    outputs,
    gas: outputs.map(() => 1n),
    midOutput: 0n,
  }
}

const reserve = fc.bigInt({ min: 1_000n, max: 2n ** 111n })
const pairs = fc.array(fc.tuple(reserve, reserve), { minLength: 1, maxLength: 4 })
const amounts = fc.bigInt({ min: 1n, max: 2n ** 100n })

test('behavior: no unit of the amount is lost, and each path gives at least what was quoted for it', () => {
  fc.assert(
    fc.property(pairs, amounts, (reserves, amount) => {
      const quotes = reserves.map((one, index) => toQuote(one, amount, String(index)))
      const splits = splitAmount(quotes)
      if (splits.length === 0) return
      const taken = getAmounts(amount, splits)
      expect(taken.reduce((total, one) => total + one, 0n)).toBe(amount)
      for (const [index, { quote, output }] of splits.entries()) {
        const own = reserves[quotes.indexOf(quote)]
        if (own) expect(getV2Output(taken[index] ?? 0n, own)).toBeGreaterThanOrEqual(output)
      }
    }),
  )
})

test('behavior: never worse than the best single path, and another path only for a thousandth more', () => {
  fc.assert(
    fc.property(pairs, amounts, (reserves, amount) => {
      const quotes = reserves.map((one, index) => toQuote(one, amount, String(index)))
      const alone = quotes.map(({ outputs }) => outputs.at(-1) ?? 0n)
      const [best = 0n] = alone.sort((one, other) => (one > other ? -1 : 1))
      const splits = splitAmount(quotes)
      expect(sum(splits)).toBeGreaterThanOrEqual(best)
      if (splits.length > 1) expect(sum(splits) * 1_000n).toBeGreaterThanOrEqual(best * 1_001n)
    }),
  )
})

test('behavior: a third path does not count where the second does not pay, and has to pay by itself', () => {
  const count = (amount: bigint) =>
    splitAmount(['1', '2', '3'].map((digit) => toQuote([10n ** 24n, 10n ** 24n], amount, digit)))
      .length
  // What one pool loses by the trade: with two it is a half, with three a third.
  expect(count((10n ** 24n * 18n) / 10_000n)).toBe(1)
  expect(count((10n ** 24n * 30n) / 10_000n)).toBe(2)
  expect(count((10n ** 24n * 100n) / 10_000n)).toBe(3)
})

test('behavior: paths with a pool in common are not added up', () => {
  const amount = 10n ** 21n
  const one = toQuote([10n ** 21n, 10n ** 21n], amount, '1')
  expect(splitAmount([one, { ...one }])).toHaveLength(1)
  expect(splitAmount([one, toQuote([10n ** 21n, 10n ** 21n], amount, '2')])).toHaveLength(2)
})

test('error: where no path takes the amount there is nothing', () => {
  expect(splitAmount([])).toEqual([])
  expect(splitAmount([toQuote([10n ** 18n, 1n], 1n, '1')])).toEqual([])
})
