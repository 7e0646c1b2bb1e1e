import type { FeeRates } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { raiseReplacementFee } from './raiseFee.ts'

const market = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): FeeRates => ({
  currentWei: maxFeePerGas,
  maxWei: maxFeePerGas,
  fields: { maxFeePerGas, maxPriorityFeePerGas },
})
const rich = 10n ** 18n
const shared = { gas: 21_000n, l1FeeWei: 0n, availableWei: rich, symbol: 'ETH' }

test.each([
  ['a tenth more of both, rounded up', [101n, 11n], [50n, 1n], [112n, 13n]],
  ['what the network asks now, if that is more', [100n, 10n], [500n, 40n], [500n, 40n]],
  ['one wei more of a tip that is zero', [100n, 0n], [50n, 0n], [110n, 1n]],
  ['a tip that is at most the whole fee', [100n, 100n], [50n, 400n], [110n, 110n]],
] as const)('param: it offers %s', (_, before, now, wanted) => {
  const [maxFeePerGas, maxPriorityFeePerGas] = before
  const rates = market(...(now as [bigint, bigint]))
  const raised = raiseReplacementFee({
    ...shared,
    rates,
    before: { maxFeePerGas, maxPriorityFeePerGas },
  })
  expect(raised.fields).toEqual({ maxFeePerGas: wanted[0], maxPriorityFeePerGas: wanted[1] })
  expect(raised.maxFeeWei).toBe(21_000n * wanted[0])
})

test('param: a transaction with a gas price keeps its type', () => {
  const before = { gasPrice: 100n }
  expect(raiseReplacementFee({ ...shared, rates: market(50n, 1n), before }).fields).toEqual({
    gasPrice: 110n,
  })
  const prices: FeeRates = { currentWei: 90n, maxWei: 300n, fields: { gasPrice: 300n } }
  expect(raiseReplacementFee({ ...shared, rates: prices, before }).fields).toEqual({
    gasPrice: 300n,
  })
})

test('error: it never offers more than the balance pays for, and nothing below a tenth more', () => {
  const before = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }
  const rates = market(500n, 40n)
  const limited = raiseReplacementFee({ ...shared, rates, before, availableWei: 21_000n * 110n })
  expect(limited.fields).toEqual({ maxFeePerGas: 110n, maxPriorityFeePerGas: 40n })
  for (const availableWei of [21_000n * 110n - 1n, 0n, -1n])
    expect(() => raiseReplacementFee({ ...shared, rates, before, availableWei })).toThrow(
      'Not enough ETH to pay the network fee',
    )
})

test('param: reserves the data fee of a rollup', () => {
  const before = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }
  const given = { ...shared, rates: market(50n, 1n), before, l1FeeWei: 1_000n }
  expect(raiseReplacementFee(given).maxFeeWei).toBe(21_000n * 110n + 1_500n)
  const least = 21_000n * 110n + 1_000n
  expect(raiseReplacementFee({ ...given, availableWei: least }).maxFeeWei).toBe(least)
  expect(() => raiseReplacementFee({ ...given, availableWei: least - 1n })).toThrow(
    'Not enough ETH',
  )
})
