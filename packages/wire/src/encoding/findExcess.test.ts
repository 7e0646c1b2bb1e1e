import { expect, test } from 'vitest'
import { findExcess } from './findExcess.ts'
import { jsonMaxDepth } from './parseBoundedJson.ts'

const nest = (levels: number) => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 ? { value } : [value]
  return value
}

test('default: values of up to 64 levels and of the length have no excess', () => {
  for (const value of [
    undefined,
    null,
    1n,
    'x'.repeat(100),
    {},
    [1, { a: 'b' }],
    nest(jsonMaxDepth),
  ])
    expect(findExcess(value, 500)).toBeUndefined()
  expect(findExcess(nest(jsonMaxDepth + 1), 500)).toBe('deep')
  expect(findExcess(nest(500_000), 500)).toBe('deep')
})

test('error: long strings and many parts are too large', () => {
  for (const value of ['x'.repeat(201), ['x'.repeat(150), 'y'.repeat(150)], Array(101).fill(0)])
    expect(findExcess(value, 200)).toBe('large')
})

test('error: a cycle, and parts that are used again and again, end at a limit', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(findExcess(cycle, 1_000)).toBe('deep')
  let shared: unknown = []
  for (let level = 0; level < 60; level++) shared = [shared, shared]
  expect(findExcess(shared, 1_000)).toBe('large')
})

test('security: repeated long names, sparse lists and typed arrays count before they are visited', () => {
  const named = { ['k'.repeat(1_000)]: 1 }
  expect(findExcess(Array(50).fill(named), 10_000)).toBe('large')
  expect(findExcess(new Array(2 ** 32 - 1), 10_000)).toBe('large')
  expect(findExcess(new Uint8Array(100_000), 10_000)).toBe('large')
})
