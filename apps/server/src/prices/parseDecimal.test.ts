import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDecimal } from './fetchExternalPrices.ts'

test.each([
  ['1', 10n ** 18n],
  ['0.999', 999_000_000_000_000_000n],
  ['2e-7', 200_000_000_000n],
  ['1.5e+3', 1_500n * 10n ** 18n],
  ['1e-18', 1n],
  ['1e-19', undefined],
  ['0', undefined],
  ['-1', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['', undefined],
  ['1e9999', undefined],
])('default: %s', (text, expected) => {
  expect(parseDecimal(text)).toBe(expected)
})

test('behavior: no digit of a number is lost', () => {
  const digits = fc.bigInt({ min: 1n, max: 10n ** 40n })
  fc.assert(
    fc.property(digits, (price) => {
      const text = price.toString().padStart(19, '0')
      expect(parseDecimal(`${text.slice(0, -18)}.${text.slice(-18)}`)).toBe(price)
    }),
  )
})
