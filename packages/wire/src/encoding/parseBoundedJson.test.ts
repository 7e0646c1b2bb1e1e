import { expect, test } from 'vitest'
import { isTooDeep, jsonMaxDepth, parseBoundedJson } from './parseBoundedJson.ts'

const nest = (levels: number, [open, close] = ['[', ']'] as [string, string]) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`

test('default: JSON of up to 64 levels is parsed, JSON with 65 is not', () => {
  for (const pair of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":[', ']}]'],
  ] as [string, string][]) {
    const levels = Math.floor(jsonMaxDepth / pair[0].replace(/[^[{]/g, '').length)
    const text = nest(levels, pair)
    expect(parseBoundedJson(text)).toEqual(JSON.parse(text))
    expect(() => parseBoundedJson(nest(levels + 1, pair))).toThrow(SyntaxError)
    expect(() => parseBoundedJson(nest(500_000, pair))).toThrow(SyntaxError)
  }
})

test('behavior: brackets in strings and many values on one level add no depth', () => {
  for (const value of ['[['.repeat(100), '\\"[['.repeat(100), '"'.repeat(99), '\\'.repeat(99)]) {
    const text = JSON.stringify({ [value]: [value] })
    expect(isTooDeep(text)).toBe(false)
    expect(parseBoundedJson(text)).toEqual({ [value]: [value] })
  }
  expect(isTooDeep(`[${Array(10_000).fill('[{}]').join()}]`)).toBe(false)
})

test('error: invalid JSON is a SyntaxError', () => {
  for (const text of ['', '{', '"', '"\\', ']]', '{"a":[}'])
    expect(() => parseBoundedJson(text)).toThrow(SyntaxError)
})
