import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFolder } from './foldArrays.ts'

/** Folds arrays of this name: the first two elements stay, and the others are counted. */
function foldBy(name: string) {
  return createFolder((found) => {
    if (found !== name) return undefined
    let count = 0
    return {
      keeps(element) {
        JSON.parse(element)
        count++
        return count <= 2
      },
      rest: () => (count > 2 ? [String(count - 2)] : []),
    }
  })
}

/** Folds a parsed value in the same way. */
function expected(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== 'list' || !Array.isArray(inner)) return [key, expected(inner)]
      const kept = inner.slice(0, 2)
      return [key, inner.length > 2 ? [...kept, inner.length - 2] : kept]
    }),
  )
}

test('behavior: any JSON in any chunks, with and without spaces', () => {
  const key = fc.oneof(fc.constant('list'), fc.string())
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('json'), { maxLength: 5 }),
      fc.dictionary(key, tie('json'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(json, fc.nat(2), fc.integer({ min: 1, max: 9 }), (value, spaces, size) => {
      const bytes = Buffer.from(JSON.stringify(value, undefined, spaces))
      const fold = foldBy('list')
      const parts: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size)
        parts.push(fold(bytes.subarray(at, at + size)))
      const plain = JSON.parse(JSON.stringify(value))
      expect(JSON.parse(Buffer.concat(parts).toString())).toEqual(expected(plain))
    }),
  )
})

test('error: invalid JSON, and an element that is too long', () => {
  const fold = foldBy('list')
  expect(() => fold(Buffer.from('{"list":[1, 2, nothing]}'))).toThrow()
  expect(() => foldBy('list')(Buffer.from(`{"list":["${'a'.repeat(70_000)}"]}`))).toThrow()
})
