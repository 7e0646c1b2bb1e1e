import { expect, test } from 'vitest'
import { omitNulls } from './omitNulls.ts'

test('default: properties that are null are left out at every level, and entries of lists stay', () => {
  const params = [{ id: null, calls: [{ to: '0x1', data: null }, null], capabilities: { a: null } }]
  expect(omitNulls(params)).toEqual([{ calls: [{ to: '0x1' }, null], capabilities: {} }])
  expect(omitNulls([null, 0, '', false])).toEqual([null, 0, '', false])
  expect(omitNulls(undefined)).toBeUndefined()
})

test('behavior: a name of the prototype is a property like the others', () => {
  const given: unknown = JSON.parse('{"__proto__": {"a": null, "b": 1}, "c": null}')
  expect(JSON.stringify(omitNulls(given))).toBe('{"__proto__":{"b":1}}')
})

test('behavior: a value nested deeper than any request does not overflow the stack', () => {
  let deep: unknown = null
  for (let level = 0; level < 100_000; level += 1) deep = { deep }
  expect(omitNulls(deep)).toMatchObject({ deep: { deep: {} } })
})
