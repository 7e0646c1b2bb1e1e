import { expect, test } from 'vitest'
import { formatEditedAmount, readAmount } from './readAmount.ts'

const read = (typed: string, decimals = 6, max = 10_000_000n, locales = ['en']) =>
  readAmount(typed, { decimals, max, locales })

test.each([
  ['1', 1_000_000n],
  [' 1.5 ', 1_500_000n],
  ['.000001', 1n],
  ['2.', 2_000_000n],
  ['1.5000000000', 1_500_000n],
  ['10', 10_000_000n],
  ['٣٫٥', 3_500_000n],
  ['۷', 7_000_000n],
  ['1,5', 1_500_000n],
  ['२', 2_000_000n],
])('default: “%s” is an amount', (typed, amount) => {
  expect(read(typed)).toEqual({ amount })
})

test.each([
  ['', 'form'],
  ['.', 'form'],
  ['-1', 'form'],
  ['1e3', 'form'],
  ['0x10', 'form'],
  ['\u202e1', 'form'],
  ['1.2.3', 'form'],
  ['0.0000001', 'decimals'],
  ['0', 'zero'],
  ['0.0', 'zero'],
  ['10.000001', 'max'],
  ['1,000', 'max'],
  ['1 000', 'max'],
  ['9'.repeat(100), 'max'],
])('error: “%s” is none', (typed, problem) => {
  expect(read(typed)).toEqual({ problem })
})

test('param: a comma that may group thousands is ambiguous, a point is not', () => {
  expect(read('2,500', 6, 10_000_000_000n, ['en'])).toEqual({ amount: 2_500_000_000n })
  expect(read('2,500', 6, 10_000_000_000n, ['en', 'de'])).toEqual({
    problem: 'ambiguous',
    readings: ['2500', '2.5'],
  })
  expect(read('2.500', 6, 10_000_000_000n, ['de'])).toEqual({ amount: 2_500_000n })
})

test('param: a token without decimals takes whole amounts only', () => {
  expect(read('3', 0)).toEqual({ amount: 3n })
  expect(read('3.0', 0)).toEqual({ amount: 3n })
  expect(read('3.1', 0)).toEqual({ problem: 'decimals' })
})

test('default: an amount is formatted as users type it, and an unlimited amount is not formatted', () => {
  expect(formatEditedAmount(1_500_000n, 6)).toBe('1.5')
  expect(formatEditedAmount(2n ** 256n - 1n, 6)).toBeUndefined()
})
