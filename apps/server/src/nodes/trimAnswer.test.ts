import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTrimmer } from './trimAnswer.ts'

/** Trims JSON that arrives in chunks of these sizes, repeated. */
function trim(text: string, sizes: readonly number[]): string {
  const trimmer = createTrimmer({ emptied: 'logs', maxString: 10 })
  const bytes = Buffer.from(text)
  const kept: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    kept.push(trimmer(bytes.subarray(at, at + size)))
    at += size
  }
  return Buffer.concat(kept).toString()
}

/** The expected result, computed in another way. */
function expected(json: unknown): unknown {
  if (typeof json === 'string')
    return JSON.stringify(json).includes('\\') ? undefined : json.slice(0, 10)
  if (Array.isArray(json)) return json.map(expected)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      name === 'logs' && Array.isArray(value) ? [] : expected(value),
    ]),
  )
}

test('default: logs are dropped and long strings are cut, wherever the chunks end', () => {
  const text =
    '{"a":"0123456789abc","logs" : [ {"data":"]\\"[","x":[1]} ],"status":"0x1","list":["logs",[2]]}'
  for (let size = 1; size < text.length; size++)
    expect(trim(text, [size])).toBe(
      '{"a":"0123456789","logs" : [],"status":"0x1","list":["logs",[2]]}',
    )
})

test('behavior: the rest of any JSON stays as it is', () => {
  const name = fc.constantFrom('logs', 'log', 'logsBloom', 'x')
  const text = fc.stringMatching(/^[a-z[\]{}:, ]{0,15}$/)
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(name, tie('json'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(
      json,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (value, sizes) => {
        expect(JSON.parse(trim(JSON.stringify(value), sizes))).toEqual(expected(value))
      },
    ),
  )
})

test('behavior: what remains of any JSON is JSON', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      (text, sizes) => {
        // A cut may be in the middle of a character.
        expect(() => JSON.parse(trim(text, sizes))).not.toThrow()
      },
    ),
  )
})
