import { expect, test } from 'vitest'
import { getValueChange } from './getValueChange.ts'

const hour = 3_600_000
const points = (...all: (readonly [hours: number, price: number])[]) =>
  all.map(([hours, price]) => ({ atMs: hours * hour, price }))

test('default: the change between the first and the last point', () => {
  expect(getValueChange(points([0, 80], [12, 500], [24, 100]))).toEqual({
    change: 20,
    percent: 25,
    sinceMs: 0,
  })
})

test('behavior: values that cover less than a day have no change', () => {
  expect(getValueChange(points([0, 80], [0.1, 100]))).toBeUndefined()
  expect(getValueChange(points([0, 80], [23.25, 100]))).toBeUndefined()
  expect(getValueChange(points([0, 80], [23.5, 100]))).toBeDefined()
  expect(getValueChange([])).toBeUndefined()
})

test('behavior: what has come since the first point is no change of a value', () => {
  expect(getValueChange(points([0, 0], [24, 100]))).toBeUndefined()
})
