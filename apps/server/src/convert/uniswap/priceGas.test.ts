import { expect, test } from 'vitest'
import type { Hex } from '../../evm/hex.ts'
import { priceGas } from './priceGas.ts'
import type { PathQuote } from './readMarket.ts'

const [wrapped, usd, gold]: readonly Hex[] = ['0xaa', '0xbb', '0xcc']

/** A path with its output for the whole amount, and the mid price of each of its pools. */
const toQuote = (
  tokens: readonly (Hex | undefined)[],
  output: bigint | undefined,
  prices: readonly (readonly [bigint, bigint])[],
): PathQuote => ({
  path: { version: 'v2', tokens: tokens.flatMap((token) => token ?? []), pools: [] },
  outputs: [1n, output],
  gas: [],
  midOutput: 0n,
  prices: prices.map(([numerator, denominator]) => ({ numerator, denominator })),
})
const price = (gasPriceWei: bigint | undefined, ...quotes: readonly PathQuote[]) =>
  priceGas({ gasPriceWei, quotes }, wrapped ?? '0x')

test('default: at the price of each pool behind the wrapped native currency', () => {
  expect(price(7n, toQuote([wrapped, usd], 5n, [[3n, 2n]]))).toEqual({
    numerator: 21n,
    denominator: 2n,
  })
  const both = [
    [11n, 13n],
    [3n, 2n],
  ] as const
  expect(price(7n, toQuote([gold, wrapped, usd], 5n, both))).toEqual({
    numerator: 21n,
    denominator: 2n,
  })
  expect(price(7n, toQuote([wrapped, gold, usd], 5n, both))).toEqual({
    numerator: 231n,
    denominator: 26n,
  })
  expect(price(7n, toQuote([gold, usd, wrapped], 5n, both))).toEqual({
    numerator: 7n,
    denominator: 1n,
  })
})

test("behavior: the path with the largest output counts, regardless of a thin pool's price", () => {
  const thin = toQuote([wrapped, gold, usd], 4n, [
    [900n, 1n],
    [1n, 1n],
  ])
  const empty = toQuote([wrapped, usd], undefined, [[900n, 1n]])
  const deep = toQuote([wrapped, usd], 5n, [[3n, 1n]])
  expect(price(1n, thin, empty, deep)).toEqual({ numerator: 3n, denominator: 1n })
})

test('error: unknown if the native currency is on no path, or if the gas price is missing', () => {
  expect(price(7n, toQuote([gold, usd], 5n, [[3n, 2n]]))).toBeUndefined()
  expect(price(7n, toQuote([wrapped, usd], undefined, [[3n, 2n]]))).toBeUndefined()
  expect(price(undefined, toQuote([wrapped, usd], 5n, [[3n, 2n]]))).toBeUndefined()
  expect(price(7n)).toBeUndefined()
})
