import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Hex } from '../evm/hex.ts'
import { findDeepestRoute } from './findDeepestRoute.ts'
import type { Hop } from './findPools.ts'
import type { PoolState } from './poolState.ts'
import { priceScale } from './price.ts'

const [first, second, usd] = ['1', '2', '3'].map((digit): Hex => `0x${digit.repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
]
const minimumUsd = 1_000n * priceScale

/** A route through one pool each, from the first hop's token to the dollar. */
function readRoute(...steps: { hop: Omit<Hop, 'pools'>; state: PoolState }[]) {
  const hops = steps.map(({ hop }, index): Hop => {
    const [one, other] = [hop.token, hop.paid].sort() as [Hex, Hex]
    const address: Hex = `0x${String(index).repeat(40)}`
    return { ...hop, pools: [{ kind: 'uniswap-v2', address, first: one, second: other }] }
  })
  const states = hops.flatMap(({ pools }, index) =>
    pools.map(({ address }) => [address, steps[index]?.state] as const),
  )
  return findDeepestRoute([hops], new Map(states as [Hex, PoolState][]))
}

/** A deep pool in which a unit of `token` costs `price`. */
const deepStep = (token: Hex, price: bigint) => ({
  hop: { token, paid: usd, tokenDecimals: 0, paidDecimals: 0 },
  state: { numerator: price, denominator: priceScale, depth: [2n ** 250n, 2n ** 250n] as const },
})

test('behavior: exact to the last digit, rounded down, from either side of the pool', () => {
  const reserve = fc.bigInt({ min: 1n, max: 2n ** 112n })
  const decimals = fc.integer({ min: 0, max: 24 })
  const paidPrice = fc.bigInt({ min: 1n, max: 10n ** 24n })
  fc.assert(
    fc.property(
      reserve,
      reserve,
      decimals,
      decimals,
      paidPrice,
      (a, b, tokenDecimals, paidDecimals, paid) => {
        const state = { numerator: b, denominator: a, depth: [a, b] as const }
        const hop = { token: first, paid: second, tokenDecimals, paidDecimals }
        const found = readRoute({ hop, state }, deepStep(second, paid))
        const above = paid * b * 10n ** BigInt(tokenDecimals)
        const below = a * 10n ** BigInt(paidDecimals)
        const depthUsd = (b * paid) / 10n ** BigInt(paidDecimals)
        const turned = { numerator: a, denominator: b, depth: [b, a] as const }
        const other = readRoute(
          { hop: { ...hop, token: second, paid: first }, state: turned },
          deepStep(first, paid),
        )
        expect(other?.price).toBe(found?.price)
        if (found === undefined) {
          expect(depthUsd < minimumUsd || above < below).toBe(true)
          return
        }
        const { price } = found
        expect(price * below <= above && (price + 1n) * below > above).toBe(true)
        expect(found.depthUsd).toBe(depthUsd)
      },
    ),
  )
})

test('default: a dollar of six decimals for a dollar of eighteen', () => {
  const depth = [10n ** 21n, 10n ** 21n] as const
  const state = { numerator: 3_000n * 10n ** 6n, denominator: 10n ** 18n, depth }
  const hop = { token: first, paid: second, tokenDecimals: 18, paidDecimals: 6 }
  expect(readRoute({ hop, state })?.price).toBe(3_000n * priceScale)
})
