import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getMinimum } from './swapSource.ts'

const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const slippages = fc.bigInt({ min: 0n, max: 5_000n })

test('behavior: the minimum is the smallest amount that loses no more than was accepted', () => {
  fc.assert(
    fc.property(amounts, slippages, (amount, slippage) => {
      const minimum = getMinimum(amount, slippage)
      const isAccepted = (received: bigint) => (amount - received) * 10_000n <= amount * slippage
      expect(minimum <= amount && isAccepted(minimum)).toBe(true)
      if (minimum > 0n) expect(isAccepted(minimum - 1n)).toBe(false)
    }),
  )
})

test('behavior: without slippage the minimum is the whole output; slippage never raises it', () => {
  fc.assert(
    fc.property(amounts, slippages, slippages, (amount, one, other) => {
      expect(getMinimum(amount, 0n)).toBe(amount)
      const [less, more] = one < other ? [one, other] : [other, one]
      expect(getMinimum(amount, more) <= getMinimum(amount, less)).toBe(true)
    }),
  )
})
