import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceNumber, toShownPrice } from '../prices/price.ts'
import { fiatValue } from './fiatValue.ts'

const holding = { name: 'A', symbol: 'A', address: undefined }

test('default: rounded down to cents', () => {
  const price = 2_999_900_000_000_000_000n
  expect(fiatValue({ ...holding, decimals: 6, amount: 1_000_000n, price })).toBe(2.99)
  expect(fiatValue({ ...holding, decimals: 6, amount: 1n, price })).toBe(0)
})

test('behavior: five at $3,000.00 are $15,000.00, also if the exact price is a trifle less', () => {
  const price = 2_999_999_999_999_999_999_999n
  expect(priceNumber(price)).toBe(3_000)
  expect(fiatValue({ ...holding, decimals: 0, amount: 5n, price })).toBe(15_000)
})

test('behavior: no value without a price, nor for an absurd amount', () => {
  expect(fiatValue({ ...holding, decimals: 18, amount: 1n, price: undefined })).toBeUndefined()
  const amount = 2n ** 256n - 1n
  expect(fiatValue({ ...holding, decimals: 0, amount, price: 10n ** 18n })).toBeUndefined()
})

test('behavior: never more than the product with the price that is shown', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 30n })
  const prices = fc.bigInt({ min: 1n, max: 10n ** 24n })
  fc.assert(
    fc.property(amounts, prices, (amount, price) => {
      const value = fiatValue({ ...holding, decimals: 18, amount, price }) ?? 0
      const cents = BigInt(Math.round(value * 100))
      expect(cents * 10n ** 34n <= amount * toShownPrice(price)).toBe(true)
    }),
  )
})
