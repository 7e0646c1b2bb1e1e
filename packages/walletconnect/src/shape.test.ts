import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anything,
  boolean,
  count,
  either,
  exactly,
  integer,
  list,
  matching,
  object,
  optional,
  otherwise,
  read,
  readJson,
  record,
  something,
  text,
} from './shape.ts'

const person = object({
  name: text,
  age: optional(count),
  tags: otherwise(list(text), []),
  note: optional(anything),
})

test('default', () => {
  expect(read(person, { name: 'Anna', age: 3, other: 1 })).toEqual({
    name: 'Anna',
    age: 3,
    tags: [],
  })
  expect(readJson(person, '{"name":"Anna","tags":["a"],"note":null}')).toEqual({
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
  const found = readJson(record(anything), '{"__proto__":{"a":1}}')
  expect(Object.keys(found ?? {})).toEqual(['__proto__'])
  expect((found as { a?: unknown }).a).toBeUndefined()
})

test('error: another shape is undefined', () => {
  const refused: [Parameters<typeof read>[0], unknown][] = [
    [text, 1],
    [boolean, 'true'],
    [integer, 1.5],
    [integer, 2 ** 53],
    [count, -1],
    [something, null],
    [matching(/^a$/), 'b'],
    [exactly(true), 1],
    [either(text, integer), null],
    [list(text), { length: 0 }],
    [list(text, 1), []],
    [record(text), ['a']],
    [record(text), { a: 1 }],
    [person, null],
    [person, []],
  ]
  for (const [shape, value] of refused) expect(read(shape, value)).toBeUndefined()
  expect(readJson(text, '{')).toBeUndefined()
  expect(readJson(text, undefined)).toBeUndefined()
})

test('behavior: reading a parsed value again does not change it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const found = read(either(person, either(record(person), list(something))), json)
      if (found !== undefined)
        expect(read(either(person, either(record(person), list(something))), found)).toEqual(found)
    }),
  )
})
