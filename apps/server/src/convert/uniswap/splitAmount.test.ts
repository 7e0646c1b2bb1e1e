import fc from 'fast-check'
import { decodeFunctionData } from 'viem/utils'
import { expect, test } from 'vitest'
import type { Hex } from '../../evm/hex.ts'
import type { Ratio } from '../../prices/poolState.ts'
import { routerAbi } from './abi.ts'
import { encodeOrder } from './encodeOrder.ts'
import { quotePairs } from './hops.ts'
import { getShare, type PathQuote, parts } from './readMarket.ts'
import { getPathGas, type Split, splitAmount, sum } from './splitAmount.ts'

const pool = (digit: string) => ({
  address: `0x${digit.repeat(40)}` as Hex,
  fee: 3_000,
  first: '0x1' as Hex,
  second: '0x2' as Hex,
  held: ['1', '1'] as const,
})

const [from, to, user] = ['a', 'b', 'c'].map((digit): Hex => `0x${digit.repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
]

/** The output of a pair with these reserves. */
const quotePair = (amount: bigint, reserves: readonly [bigint, bigint]): bigint => {
  const price = { numerator: reserves[1], denominator: reserves[0] }
  return quotePairs([{ price, fee: 3_000n, reserves }], amount)?.output ?? 0n
}

/** The amounts that the router's calldata takes for each path. */
function readAmounts(amount: bigint, splits: readonly Split[]): bigint[] {
  const order = {
    chainId: 'eip155:1',
    from,
    to,
    amount,
    user,
    slippageBps: 50n,
    permit: undefined,
  } as const
  const data = encodeOrder(order, { splits, minimum: 1n, deadlineSeconds: 1n })
  const [, calls] = decodeFunctionData({ abi: routerAbi, data }).args as [bigint, readonly Hex[]]
  return calls.flatMap((call) => {
    const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: call })
    return functionName === 'swapExactTokensForTokens' ? [args[0]] : []
  })
}

/** A path through a pair with these reserves, which needs this much gas. */
function toQuote(
  reserves: readonly [bigint, bigint],
  amount: bigint,
  digit: string,
  gas = 100_000n,
): PathQuote {
  const outputs = Array.from({ length: parts }, (_, index) => {
    const output = quotePair(getShare(amount, index), reserves)
    return output > 0n ? output : undefined
  })
  return {
    path: { version: 'v2', tokens: [from, to], pools: [pool(digit)] },
    outputs,
    gas: outputs.map(() => gas),
    midOutput: 0n,
    prices: [],
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
      const taken = readAmounts(amount, splits)
      expect(taken.reduce((total, one) => total + one, 0n)).toBe(amount)
      for (const [index, { quote, output }] of splits.entries()) {
        const own = reserves[quotes.indexOf(quote)]
        if (own) expect(quotePair(taken[index] ?? 0n, own)).toBeGreaterThanOrEqual(output)
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

test('behavior: a third path does not count if the second does not pay off, and has to pay off on its own', () => {
  const count = (amount: bigint) =>
    splitAmount(['1', '2', '3'].map((digit) => toQuote([10n ** 24n, 10n ** 24n], amount, digit)))
      .length
  // The loss to price impact: with two pools a half of the loss with one, with three a third.
  expect(count((10n ** 24n * 18n) / 10_000n)).toBe(1)
  expect(count((10n ** 24n * 30n) / 10_000n)).toBe(2)
  expect(count((10n ** 24n * 100n) / 10_000n)).toBe(3)
})

/** The price of gas in the output token: a unit costs `numerator / denominator`. */
const unitGas = fc.record({
  numerator: fc.bigInt({ min: 0n, max: 2n ** 80n }),
  denominator: fc.bigInt({ min: 1n, max: 2n ** 40n }),
})

/** The output minus the gas of each path. */
const getRest = (splits: readonly Split[], { numerator, denominator }: Ratio) =>
  sum(splits) -
  sum(splits, (split) => (getPathGas([split]) * numerator + denominator - 1n) / denominator)

test('param: unitGas: no division of two paths leaves more, and the first path is the best one', () => {
  const gas = fc.bigInt({ min: 1n, max: 1_000_000n })
  fc.assert(
    fc.property(
      fc.tuple(reserve, reserve, gas),
      fc.tuple(reserve, reserve, gas),
      amounts,
      unitGas,
      ([a, b, firstGas], [c, d, secondGas], amount, price) => {
        const quotes = [
          toQuote([a, b], amount, '1', firstGas),
          toQuote([c, d], amount, '2', secondGas),
        ]
        const toSplit = (index: number, count: number): Split[] => {
          const quote = quotes[index]
          const output = quote?.outputs[count - 1]
          return quote && output !== undefined ? [{ quote, count, output }] : []
        }
        const [alone = []] = [toSplit(0, parts), toSplit(1, parts)].sort((one, other) =>
          sum(one) > sum(other) ? -1 : 1,
        )
        if (alone.length === 0) return
        const divided = Array.from({ length: parts - 1 }, (_, index) => [
          ...toSplit(0, index + 1),
          ...toSplit(1, parts - 1 - index),
        ]).filter(({ length }) => length === 2)
        const splits = splitAmount(quotes, price)
        const rest = getRest(splits, price)
        for (const one of [alone, ...divided])
          expect(rest).toBeGreaterThanOrEqual(getRest(one, price))
        if (splits.length > 1) expect(rest).toBeGreaterThan(getRest(alone, price))
        else expect(sum(splits)).toBe(sum(alone))
      },
    ),
  )
})

test('param: unitGas: dearer gas never makes for more paths', () => {
  fc.assert(
    fc.property(
      pairs,
      amounts,
      unitGas,
      fc.bigInt({ min: 1n, max: 100n }),
      (reserves, amount, price, times) => {
        const quotes = reserves.map((one, index) => toQuote(one, amount, String(index)))
        const dearer = { ...price, numerator: price.numerator * times }
        expect(splitAmount(quotes, dearer).length).toBeLessThanOrEqual(
          splitAmount(quotes, price).length,
        )
      },
    ),
  )
})

test('param: unitGas: another path has to bring a unit more than its gas', () => {
  const amount = (10n ** 24n * 18n) / 10_000n
  const quotes = ['1', '2'].map((digit) => toQuote([10n ** 24n, 10n ** 24n], amount, digit))
  const brought =
    sum(splitAmount(quotes, { numerator: 0n, denominator: 1n })) - sum(splitAmount(quotes))
  const count = (cost: bigint) =>
    splitAmount(quotes, { numerator: cost, denominator: 130_000n }).length
  expect([count(brought), count(brought - 1n)]).toEqual([1, 2])
})

test('behavior: paths with a pool in common are not added up', () => {
  const amount = 10n ** 21n
  const one = toQuote([10n ** 21n, 10n ** 21n], amount, '1')
  expect(splitAmount([one, { ...one }])).toHaveLength(1)
  expect(splitAmount([one, toQuote([10n ** 21n, 10n ** 21n], amount, '2')])).toHaveLength(2)
})

test('error: empty if no path takes the amount', () => {
  expect(splitAmount([])).toEqual([])
  expect(splitAmount([toQuote([10n ** 18n, 1n], 1n, '1')])).toEqual([])
})
