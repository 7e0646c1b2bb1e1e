import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBlock } from './probe.ts'

test('default: the number of a block', () => {
  expect(parseBlock({ jsonrpc: '2.0', id: 1, result: '0x1f' })).toBe(31n)
  expect(parseBlock({ jsonrpc: '2.0', id: 1, result: 31 })).toBe(31n)
})

test('error: anything else', () => {
  for (const wrong of [
    undefined,
    null,
    '',
    {},
    { result: -31 },
    { result: 3.1 },
    { result: '31' },
    { result: '0x' },
  ])
    expect(() => parseBlock(wrong)).toThrow('The answer holds no block number')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(() => parseBlock(value)).toThrow()
    }),
  )
})
