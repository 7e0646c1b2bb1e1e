import fc from 'fast-check'
import { encodeFunctionData, encodeFunctionResult } from 'viem/utils'
import { expect, test } from 'vitest'
import type { Hex } from '../../evm/hex.ts'
import { quoterAbi } from './abi.ts'
import type { Path, SwapPool } from './findPaths.ts'
import { decodeQuote, encodePath, encodeQuotes } from './quoterCalls.ts'

const functionName = 'quoteExactInput'
const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const pool = fc.record({ address, fee: fc.nat(999_999) }).map(
  ({ address, fee }): SwapPool => ({
    ...{ address, fee, first: address, second: address, held: ['1', '1'] },
  }),
)
const path = fc.integer({ min: 1, max: 4 }).chain((hops) =>
  fc.record({
    version: fc.constant('v3' as const),
    tokens: fc.array(address, { minLength: hops + 1, maxLength: hops + 1 }),
    pools: fc.array(pool, { minLength: hops, maxLength: hops }),
  }),
)

test('behavior: questions for the quoter are encoded as viem does', () => {
  fc.assert(
    fc.property(path, fc.array(uint(256), { maxLength: 3 }), (way: Path, amounts) => {
      const expected = amounts.map((amount) =>
        encodeFunctionData({ abi: quoterAbi, functionName, args: [encodePath(way), amount] }),
      )
      expect(encodeQuotes(way, amounts)).toEqual(expected)
    }),
  )
})

test('behavior: its answers are read as they were encoded', () => {
  const numbers = fc.array(fc.nat(2 ** 31), { maxLength: 4 })
  fc.assert(
    fc.property(uint(256), uint(256), numbers, (output, gas, list) => {
      const result = [output, list.map(BigInt), list, gas] as const
      const data = encodeFunctionResult({ abi: quoterAbi, functionName, result })
      expect(decodeQuote(data)).toEqual(output === 0n ? undefined : { output, gas })
    }),
  )
})

test.each([undefined, '0x', `0x${'f'.repeat(255)}`, `0x${'g'.repeat(256)}`] as const)(
  'error: an answer that is none gives no quote: %s',
  (data) => expect(decodeQuote(data)).toBeUndefined(),
)
