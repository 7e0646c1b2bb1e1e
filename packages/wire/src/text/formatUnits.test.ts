import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUnits } from './formatUnits.ts'

test.each([
  [0n, 18, '0'],
  [1n, 18, '0.000000000000000001'],
  [1_500_000n, 6, '1.5'],
  [100n, 0, '100'],
  [
    2n ** 256n - 1n,
    18,
    '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
  ],
  [-5n, 1, '-0.5'],
])('default: %s with %i decimals is %s', (amount, decimals, expected) => {
  expect(formatUnits(amount, decimals)).toBe(expected)
})

test('behavior: the formatted digits parse back to the amount, without exponent or trailing zeros', () => {
  const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 36 }), (amount, decimals) => {
      const text = formatUnits(amount, decimals)
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      const [whole = '', fraction = ''] = text.split('.')
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount)
    }),
  )
})
