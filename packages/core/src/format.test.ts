import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncateAddress } from './account/truncateAddress.ts'
import { formatAmount, formatQuantity, relativeTime } from './format.ts'
import { fromSmallestUnit, toSmallestUnit } from './units.ts'

test.each([
  [undefined, '0.00'],
  ['', '0.00'],
  ['0', '0.00'],
  ['1234567.891', '1,234,567.89'],
  [1234.5, '1,234.50'],
  ['0.999', '0.99'],
  ['9999.999999', '9,999.99'],
  ['.5', '0.50'],
  ['007', '7.00'],
  ['-12.345', '-12.34'],
  ['-0.001', '0.00'],
  [1e21, '1,000,000,000,000,000,000,000.00'],
  [1.5e-7, '0.00'],
  [-2.5e-1, '-0.25'],
  [Number.NaN, '0.00'],
  [Number.POSITIVE_INFINITY, '0.00'],
  ['<b>', '0.00'],
])('default: %j is shown as %s', (amount, shown) => expect(formatAmount(amount)).toBe(shown))

test('param: decimals', () => {
  expect(formatAmount('1234.5678', 0)).toBe('1,234')
  expect(formatAmount(1.23e-7, 9)).toBe('0.000000123')
  expect(formatQuantity('1.23456')).toBe('1.234')
  expect(formatQuantity(undefined)).toBe('0.000')
})

test.each([
  ['0.0004', '0.0004'],
  ['0.00045678', '0.00045'],
  ['0.00100', '0.001'],
  ['0.0010004', '0.001'],
  ['.0004', '0.0004'],
  ['-0.0004', '-0.0004'],
  [4e-7, '0.0000004'],
  ['0.00000001', '0.00000001'],
  ['0.000000000000000001', '<0.00000001'],
  ['0.000', '0.000'],
  ['1000.0004', '1,000.000'],
])('behavior: the quantity %j is shown as %s, never as zero unless it is', (quantity, shown) =>
  expect(formatQuantity(quantity)).toBe(shown),
)

test('behavior: an amount is never shown as more than it is', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
      fc.integer({ min: 0, max: 18 }),
      (units, decimals) => {
        const shown = formatAmount(fromSmallestUnit(units, decimals)).replaceAll(',', '')
        expect(toSmallestUnit(shown, Math.max(decimals, 2))).toBeLessThanOrEqual(
          units * 10n ** BigInt(Math.max(0, 2 - decimals)),
        )
      },
    ),
  )
})

test('behavior: smallest units go to decimals and back exactly', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 256n }),
      fc.integer({ min: 0, max: 36 }),
      (units, decimals) => {
        expect(toSmallestUnit(fromSmallestUnit(units, decimals), decimals)).toBe(units)
      },
    ),
  )
})

test.each(['', ' ', '-1', '1e3', '0x1', '1,5', '1.2.3', '.', 'abc', '1.0000001', 'Infinity'])(
  'error: %j is no amount of 6 decimals',
  (amount) =>
    expect(() => toSmallestUnit(amount, 6)).toThrow(
      'Please enter a valid amount and receiver address',
    ),
)

test('behavior: zeros beyond the decimals do no harm', () => {
  expect(toSmallestUnit('1.50000000', 6)).toBe(1_500_000n)
  expect(toSmallestUnit('5.', 0)).toBe(5n)
  expect(fromSmallestUnit(-1_500_000n, 6)).toBe('-1.5')
})

test('default: addresses keep 4 leading and 6 trailing characters', () => {
  expect(truncateAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf3…b92266')
  expect(truncateAddress('short.eth')).toBe('short.eth')
  expect(truncateAddress('')).toBe('')
})

test.each([
  [0, '0 sec'],
  [59_999, '59 sec'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_600_000, '1 hr'],
  [86_400_000, '1 d'],
  [30 * 86_400_000, '1 mo'],
  [365 * 86_400_000, '1 yr'],
  [-5_000, '0 sec'],
])('default: %i ms ago reads %s', (elapsed, label) => {
  const { count, unit } = relativeTime({ atMs: 1e12 - elapsed, nowMs: 1e12 })
  expect(`${count} ${unit}`).toBe(label)
})
