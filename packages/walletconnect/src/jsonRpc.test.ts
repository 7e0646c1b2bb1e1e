import { isError } from '@latchkey/wire'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRpc, getRpcIdTime, newRpcId, parseRpc, type RpcMessage } from './jsonRpc.ts'

// A value that JSON can represent: without a negative zero.
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)))
const id = fc.oneof(
  fc.maxSafeInteger(),
  fc.string(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
)
const message: fc.Arbitrary<RpcMessage> = fc.oneof(
  fc.record({ id, method: fc.string(), params: json }),
  fc.record({ id, result: json }),
  fc.record({ id, error: fc.record({ code: fc.integer(), message: fc.string() }) }),
)

test('default', () => {
  fc.assert(
    fc.property(message, (value) => {
      expect(parseRpc(formatRpc(value))).toEqual(value)
    }),
  )
})

test('behavior: our ids have 16 digits and contain their time', () => {
  expect(newRpcId(1_795_227_042_026, () => 0.9571)).toBe(1_795_227_042_026_957)
  expect(getRpcIdTime(1_795_227_042_026_957)).toBe(1_795_227_042_026)
  expect(newRpcId(1_795_227_042_026.9, () => 1)).toBe(1_795_227_042_026_999)
  fc.assert(
    fc.property(
      fc.integer({ min: 1e12, max: 8e12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (now, part) => {
        const made = newRpcId(now, () => part)
        expect(Number.isSafeInteger(made)).toBe(true)
        expect(String(made)).toHaveLength(16)
      },
    ),
  )
})

test('behavior: an id of 19 digits stays exact in any surrounding JSON', () => {
  const text =
    '{"jsonrpc":"2.0","params":{"id":9795227042026957824,"a":["\\"id\\":1",{"id":2}]},"method":"a", "i\\u0064" : 1795227042026957824}'
  const parsed = parseRpc(text)
  expect(parsed.id).toBe(1_795_227_042_026_957_824n)
  expect(formatRpc({ id: parsed.id, result: true })).toMatchInlineSnapshot(
    `"{"id":1795227042026957824,"jsonrpc":"2.0","result":true}"`,
  )
})

test('behavior: a response without a result gets null', () => {
  expect(formatRpc({ id: 1, result: undefined })).toMatchInlineSnapshot(
    `"{"id":1,"jsonrpc":"2.0","result":null}"`,
  )
})

test('error: a message of too many levels is not parsed', () => {
  for (const levels of [64, 5_000, 500_000]) {
    const params = `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(() => parseRpc(`{"id":1,"jsonrpc":"2.0","method":"x","params":${params}}`)).toThrow(
      expect.objectContaining({ code: 'PARSE_ERROR' }),
    )
  }
})

test('error: invalid messages', () => {
  const codeOf = (text: string) => {
    try {
      return parseRpc(text)
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  expect(codeOf('')).toBe('PARSE_ERROR')
  expect(codeOf('{"id":1')).toBe('PARSE_ERROR')
  expect(codeOf('['.repeat(1_000_000))).toBe('PARSE_ERROR')
  for (const text of [
    'null',
    '1',
    '[]',
    '{}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"1.0","id":1,"result":1}',
    '{"jsonrpc":"2.0","id":null,"result":1}',
    '{"jsonrpc":"2.0","id":{},"result":1}',
    '{"jsonrpc":"2.0","result":1}',
    '{"jsonrpc":"2.0","id":1.5,"result":1}',
    '{"jsonrpc":"2.0","id":1e300,"result":1}',
    '{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}',
    '{"jsonrpc":"2.0","id":1,"method":1}',
    '{"jsonrpc":"2.0","id":1,"method":"a","result":1}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}',
    '{"jsonrpc":"2.0","id":1,"error":null}',
  ])
    expect(codeOf(text), text).toBe('INVALID_REQUEST')
})

test('error: any string or JSON is read, or refused with an error code', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      try {
        parseRpc(text)
      } catch (error) {
        expect(isError(error)).toBe(true)
      }
    }),
  )
})
