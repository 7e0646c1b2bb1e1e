import { expect, test } from 'vitest'
import * as core from './index.ts'
import * as internal from './internal.ts'

test('default: the values that an app can import, at most 75', () => {
  expect(Object.keys(core).length).toBeLessThanOrEqual(75)
  expect(Object.keys(core).sort()).toMatchInlineSnapshot()
})

test('security: what skips a review is no part of the public index', () => {
  const names = Object.keys(internal).filter((name) => /Shown|pushWalletRequest/.test(name))
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => name in core)).toEqual([])
})
