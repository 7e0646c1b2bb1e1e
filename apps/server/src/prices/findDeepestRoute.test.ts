import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceHop } from './findDeepestRoute.ts'
import { priceScale } from './price.ts'

const first = `0x${'1'.repeat(40)}` as const
const second = `0x${'2'.repeat(40)}` as const

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
        const { price, depthUsd } = priceHop(hop, { state, paidPrice: paid })
        const above = paid * b * 10n ** BigInt(tokenDecimals)
        const below = a * 10n ** BigInt(paidDecimals)
        expect(price * below <= above && (price + 1n) * below > above).toBe(true)
        expect(depthUsd).toBe((b * paid) / 10n ** BigInt(paidDecimals))
        const turned = { numerator: a, denominator: b, depth: [b, a] as const }
        const other = { ...hop, token: second, paid: first }
        expect(priceHop(other, { state: turned, paidPrice: paid }).price).toBe(price)
      },
    ),
  )
})

test('default: a dollar of six decimals for a dollar of eighteen', () => {
  const state = { numerator: 3_000n * 10n ** 6n, denominator: 10n ** 18n, depth: [1n, 1n] as const }
  const hop = { token: first, paid: second, tokenDecimals: 18, paidDecimals: 6 }
  expect(priceHop(hop, { state, paidPrice: priceScale }).price).toBe(3_000n * priceScale)
})
