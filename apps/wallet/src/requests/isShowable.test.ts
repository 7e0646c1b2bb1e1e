import { expect, test } from 'vitest'
import { isShowable } from './isShowable.ts'

test('default: small and flat values can be shown', () => {
  for (const value of [null, 1, 'x', undefined, {}, { a: [{ b: [1, 2, { c: null }] }] }])
    expect(isShowable(value)).toBe(true)
  expect(isShowable(JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`))).toBe(false)
  expect(isShowable(Array.from({ length: 3_000 }))).toBe(false)
  expect(isShowable(Array.from({ length: 100 }, () => Array.from({ length: 100 })))).toBe(false)
})
