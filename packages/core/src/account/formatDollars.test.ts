import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutDollars, formatDollars, sumDollars } from './formatDollars.ts'

test.each([
  [0, '$0.00'],
  [1, '$1.00'],
  [1234.5, '$1,234.50'],
  [1.005, '$1.00'],
  [4.35, '$4.35'],
  [1.999, '$1.99'],
  [0.999999, '$0.9999'],
  [0.1 + 0.2, '$0.30'],
  [1.1 + 2.2, '$3.30'],
  [4.35 * 100, '$435.00'],
  [0.74128, '$0.7412'],
  [0.05, '$0.05'],
  [0.00012345, '$0.0001234'],
  [1.2e-7, '$0.00000012'],
  [1e-13, '$0.00'],
  [19_999_497.419, '$19,999,497.41'],
  [9_999_999_999.999, '$9,999,999,999.99'],
  [1e21, '$1,000,000,000,000,000,000,000.00'],
  [-12.345, '-$12.34'],
  [Number.NaN, '$0.00'],
])('default: %d dollars are shown as %s', (value, shown) =>
  expect(formatDollars(value)).toBe(shown),
)

test('param: locale', () => {
  expect(formatDollars(1234.567, 'de')).toBe('1.234,56\u00a0$')
  expect(formatDollars(0.74128, 'de')).toBe('0,7412\u00a0$')
})

test('behavior: cents are shown as they are, and nothing as more than it is', () => {
  const cents = fc.integer({ min: 0, max: 10 ** 13 })
  const more = fc.integer({ min: 0, max: 99 })
  fc.assert(
    fc.property(cents, more, (count, hundredths) => {
      const shown = `${Math.floor(count / 100)}.${String(count % 100).padStart(2, '0')}`
      expect(cutDollars(count / 100)).toBe(shown)
      const exact = Number(`${shown}${String(hundredths).padStart(2, '0')}`)
      if (exact >= 1 && exact < 10 ** 9) expect(cutDollars(exact)).toBe(shown)
    }),
  )
})

test('default: a total is the sum of what is shown', () => {
  expect(sumDollars([0.1, 0.2])).toBe(0.3)
  expect(sumDollars([1.009, 2.009, undefined])).toBe(3)
  expect(sumDollars([19_999_497.41, 0.07, 0.000123])).toBe(19_999_497.480123)
  expect(sumDollars([29_999_999.94, -29_999_999.64])).toBe(0.3)
  expect(sumDollars([])).toBeUndefined()
  expect(sumDollars([undefined])).toBeUndefined()
})
