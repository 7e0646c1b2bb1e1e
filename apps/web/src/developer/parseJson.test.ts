import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseObject, parseParams } from './parseJson.ts'

test('default: lists and objects come back as they are', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      (value) => {
        const source = JSON.stringify(value)
        expect(parseParams(source)).toEqual(JSON.parse(source))
      },
    ),
  )
})

test('behavior: nothing typed is an empty list', () => {
  expect(parseParams('  ')).toEqual([])
})

test('error: JSON that is not a list or object', () => {
  for (const source of ['1', '"a"', 'null'])
    expect(() => parseParams(source)).toThrow('Parameters must be a JSON list or object.')
  for (const source of ['1', '[]', 'null'])
    expect(() => parseObject(source)).toThrow('Typed data must be a JSON object.')
  expect(() => parseParams('{')).toThrow('This is not valid JSON')
})
