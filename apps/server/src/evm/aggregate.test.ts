import fc from 'fast-check'
import { encodeFunctionData, encodeFunctionResult, parseAbi } from 'viem/utils'
import { expect, test } from 'vitest'
import { decodeAggregate, encodeAggregate } from './aggregate.ts'

const abi = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const
const bytes = fc.uint8Array({ maxLength: 100 }).map(hex)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex)
const functionName = 'aggregate3'

test('behavior: calls are encoded as viem does', () => {
  const calls = fc.array(fc.record({ target: address, callData: bytes }), { maxLength: 20 })
  fc.assert(
    fc.property(calls, (list) => {
      const args = [list.map((call) => ({ ...call, allowFailure: true }))] as const
      expect(encodeAggregate(list)).toBe(encodeFunctionData({ abi, functionName, args }))
    }),
  )
})

test('behavior: results are decoded as they were encoded', () => {
  const results = fc.array(fc.record({ success: fc.boolean(), returnData: bytes }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(results, (result) => {
      const data = encodeFunctionResult({ abi, functionName, result })
      const expected = result.map(({ success, returnData }) => (success ? returnData : undefined))
      expect(decodeAggregate(data, result.length)).toEqual(expected)
      expect(decodeAggregate(data, result.length + 1)).toBeUndefined()
    }),
  )
})

test('behavior: balances of many, one word each, match viem; failed or longer results are not mixed up', () => {
  const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(hex)
  const results = fc.array(
    fc.record({
      success: fc.constantFrom(true, true, true, false),
      returnData: fc.oneof(word, bytes),
    }),
    { minLength: 1, maxLength: 40 },
  )
  fc.assert(
    fc.property(results, (result) => {
      const data = encodeFunctionResult({ abi, functionName, result })
      const expected = result.map(({ success, returnData }) => (success ? returnData : undefined))
      expect(decodeAggregate(data, result.length)).toEqual(expected)
    }),
  )
  const one = (last: string) =>
    decodeAggregate(
      `0x${[32, 1, 32, 1, 64, 32].map((n) => n.toString(16).padStart(64, '0')).join('')}${last}`,
      1,
    )
  expect(one('ab'.repeat(32))).toEqual([`0x${'ab'.repeat(32)}`])
  expect(one('ab'.repeat(31))).toBeUndefined()
})

test('behavior: the same call to many, and others between, are encoded as viem does', () => {
  const callData = fc.constantFrom(
    `0x70a08231${'00'.repeat(32)}`,
    '0x',
    '0x313ce567',
  ) as fc.Arbitrary<`0x${string}`>
  const calls = fc.array(fc.record({ target: address, callData }), { maxLength: 30 })
  fc.assert(
    fc.property(calls, (list) => {
      const args = [list.map((call) => ({ ...call, allowFailure: true }))] as const
      expect(encodeAggregate(list)).toBe(encodeFunctionData({ abi, functionName, args }))
    }),
  )
})

test('error: garbage and truncated results are undefined', () => {
  const result = [{ success: true, returnData: '0x1234' as const }]
  const data = encodeFunctionResult({ abi, functionName, result })
  fc.assert(
    fc.property(fc.integer({ min: 2, max: data.length - 61 }), (length) => {
      expect(decodeAggregate(`0x${data.slice(2, length)}`, 1)).toBeUndefined()
    }),
  )
  fc.assert(
    fc.property(bytes, (garbage) => {
      expect(decodeAggregate(garbage, 1)).toBeUndefined()
    }),
  )
  expect(decodeAggregate('0xzz', 1)).toBeUndefined()
})
