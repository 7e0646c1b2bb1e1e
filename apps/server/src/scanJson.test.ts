import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitArray, splitObject } from './scanJson.ts'

test('default: keeps numbers that a number cannot hold', () => {
  expect(splitArray('[1, 18446744073709551615 ,"a,]\\"b", {"x":[1,"}"]}]')).toEqual([
    '1',
    '18446744073709551615',
    '"a,]\\"b"',
    '{"x":[1,"}"]}',
  ])
  expect(splitObject('{ "id" : 18446744073709551615 , "\\u0069d":[] }')).toEqual([
    ['id', '18446744073709551615'],
    ['id', '[]'],
  ])
  expect(splitArray(' [ ] ')).toEqual([])
  expect(splitObject('{}')).toEqual([])
})

test('behavior: any array and any object comes apart into what it is made of', () => {
  const spaces = fc.constantFrom(0, 2)
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), spaces, (values, indent) => {
      const parts = splitArray(JSON.stringify(values, null, indent))
      expect(parts.map((part) => JSON.parse(part))).toEqual(JSON.parse(JSON.stringify(values)))
    }),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), spaces, (object, indent) => {
      const members = splitObject(JSON.stringify(object, null, indent))
      const back = members.map(([name, raw]) => [name, JSON.parse(raw)])
      expect(back).toEqual(Object.entries(JSON.parse(JSON.stringify(object))))
    }),
  )
})
