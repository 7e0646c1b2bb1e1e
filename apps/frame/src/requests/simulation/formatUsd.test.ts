import { expect, test } from 'vitest'
import { formatUsd } from './formatUsd.ts'

test.each([
  ['435', 1n, '$4.35'],
  ['100', 2_999_999n, '$2,999,999.00'],
  ['1.5', 1_999n, '$29.98'],
])('default: %s cents times %s', (cents, amount, shown) => {
  expect(formatUsd(amount, 0, Number(cents) / 100)).toBe(shown)
})

test('behavior: a value is cut after the cent, never rounded up', () => {
  expect(formatUsd(1n, 0, 2_999.999)).toBe('$2,999.99')
  expect(formatUsd(1n, 0, 0.019)).toBe('$0.01')
})

test('behavior: less than a cent, and what cannot be real, has no value', () => {
  expect(formatUsd(1n, 0, 0.009)).toBeUndefined()
  expect(formatUsd(1n, 0, 2e12)).toBeUndefined()
  expect(formatUsd(1n, 0)).toBeUndefined()
})
