import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  array,
  boolean,
  defined,
  integer,
  literal,
  nonNegative,
  object,
  optional,
  pattern,
  read,
  readJsonAs,
  record,
  string,
  union,
  unknown,
  withDefault,
} from './shape.ts'

const person = object({
  name: string,
  age: optional(nonNegative),
  tags: withDefault(array(string), []),
  note: optional(unknown),
})

test('default', () => {
  expect(read(person, { name: 'Anna', age: 3, other: 1 })).toEqual({
    name: 'Anna',
    age: 3,
    tags: [],
  })
  expect(readJsonAs(person, '{"name":"Anna","tags":["a"],"note":null}')).toEqual({
    name: 'Anna',
    tags: ['a'],
    note: null,
  })
})

test('behavior: null means that a value is left out', () => {
  expect(read(person, { name: 'Anna', age: null, tags: null })).toEqual({ name: 'Anna', tags: [] })
})

test('behavior: keys are own keys', () => {
  expect(read(person, Object.create({ name: 'Anna' }))).toBeUndefined()
  const found = readJsonAs(record(unknown), '{"__proto__":{"a":1}}')
  expect(Object.keys(found ?? {})).toEqual(['__proto__'])
  expect((found as { a?: unknown }).a).toBeUndefined()
})

test('error: another shape is undefined', () => {
  const refused: [Parameters<typeof read>[0], unknown][] = [
    [string, 1],
    [boolean, 'true'],
    [integer, 1.5],
    [integer, 2 ** 53],
    [nonNegative, -1],
    [defined, null],
    [pattern(/^a$/), 'b'],
    [literal(true), 1],
    [union(string, integer), null],
    [array(string), { length: 0 }],
    [array(string, 1), []],
    [record(string), ['a']],
    [record(string), { a: 1 }],
    [person, null],
    [person, []],
  ]
  for (const [shape, value] of refused) expect(read(shape, value)).toBeUndefined()
  expect(readJsonAs(string, '{')).toBeUndefined()
  expect(readJsonAs(string, undefined)).toBeUndefined()
})

test('behavior: reading a parsed value again does not change it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const found = read(union(person, union(record(person), array(defined))), json)
      if (found !== undefined)
        expect(read(union(person, union(record(person), array(defined))), found)).toEqual(found)
    }),
  )
})
