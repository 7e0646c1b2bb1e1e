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
    expect(findExcess(value, 200)).toBeUndefined()
  expect(findExcess(nest(jsonMaxDepth + 1), 200)).toBe('deep')
  expect(findExcess(nest(500_000), 200)).toBe('deep')
})

test('error: long texts and many parts are large', () => {
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
