import { expect, test } from 'vitest'
import type { AssetChange } from '../activity/activity.ts'
import { getValueHistory, type PricedHolding } from './valueHistory.ts'

const steps = { sinceMs: 1_000, stepMs: 100, count: 3, knownSinceMs: 0 }
const price = (atMs: number, dollars: number) => ({ atMs, price: dollars })
const native: PricedHolding = {
  ...{ contract: undefined, amount: 30n, decimals: 1 },
  prices: [price(900, 2), price(1_150, 4)],
}
const token: PricedHolding = {
  ...{ contract: '0xab', amount: 500n, decimals: 2 },
  prices: [price(1_050, 10)],
}
const values = (
  holdings: PricedHolding[],
  changes: AssetChange[] = [],
  given: Partial<typeof steps> = {},
) =>
  getValueHistory(holdings, { changes, steps: { ...steps, ...given } }).map(
    ({ atMs, price: value }) => [atMs, value],
  )

test('default: the amounts of then at the prices of then', () => {
  expect(values([native])).toEqual([
    [1_000, 6],
    [1_100, 6],
    [1_200, 12],
    [1_300, 12],
  ])
  const changes = [
    { contract: undefined, step: 1, change: 10n },
    { contract: undefined, step: 2, change: -20n },
  ]
  expect(values([native], changes)).toEqual([
    [1_000, 8],
    [1_100, 8],
    [1_200, 20],
    [1_300, 12],
  ])
})

test('behavior: the last value counts each asset at its present value, if it is known', () => {
  const known = { ...native, value: 15 }
  expect(values([known, token])).toEqual([
    [1_100, 56],
    [1_200, 62],
    [1_300, 65],
  ])
  expect(values([{ ...known, prices: [] }])).toEqual([])
})

test('behavior: an account whose assets have no earlier prices has no history', () => {
  expect(values([{ ...native, prices: [] }])).toEqual([])
})

test('behavior: times without a price of a held asset are left out; assets without any price do not count', () => {
  const unpriced = { ...token, contract: '0xcd', prices: [] }
  expect(values([native, token, unpriced])).toEqual([
    [1_100, 56],
    [1_200, 62],
    [1_300, 62],
  ])
  // The price from before it arrived is not needed.
  const came = [{ contract: '0xab', step: 1, change: 500n }] as const
  expect(values([native, token], [...came])).toEqual([
    [1_000, 6],
    [1_100, 6],
    [1_200, 62],
    [1_300, 62],
  ])
})

test('behavior: nothing before the account is known, nor before changes that do not add up', () => {
  expect(values([native], [], { knownSinceMs: 1_150 })).toEqual([
    [1_200, 12],
    [1_300, 12],
  ])
  expect(values([native], [{ contract: undefined, step: 1, change: 31n }])).toEqual([
    [1_200, 12],
    [1_300, 12],
  ])
  expect(values([])).toEqual([1_000, 1_100, 1_200, 1_300].map((atMs) => [atMs, 0]))
})
