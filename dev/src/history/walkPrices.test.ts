import { expect, test } from 'vitest'
import { walkPrices } from './walkPrices.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const untilMs = Date.UTC(2026, 4, 1, 12, 10)
const sinceMs = untilMs - 31 * dayMs
const walk = (seed: number, swing = 1) =>
  walkPrices({ walk: { seed, swing }, present: 3_000, sinceMs, untilMs })

test('default: gentle steps from the beginning to the present price', () => {
  const points = walk(1)
  expect(points.at(-1)).toEqual({ atMs: Date.UTC(2026, 4, 1, 12), price: 3_000 })
  expect(points[0]?.atMs).toBe(Date.UTC(2026, 2, 31, 13))
  const steps = points.slice(1).map((point, index) => {
    const before = points[index] ?? point
    return { ms: point.atMs - before.atMs, change: Math.abs(point.price / before.price - 1) }
  })
  const old = steps.length - 48
  expect(new Set(steps.slice(0, old).map(({ ms }) => ms))).toEqual(new Set([hourMs]))
  expect(new Set(steps.slice(old).map(({ ms }) => ms))).toEqual(new Set([30 * minuteMs]))
  expect(Math.max(...steps.map(({ change }) => change))).toBeLessThan(0.03)
  expect(Math.min(...points.map(({ price }) => price))).toBeGreaterThan(0)
})

test('param: a seed always gives the same prices, another seed gives others', () => {
  expect(walk(1)).toEqual(walk(1))
  expect(walk(2)).not.toEqual(walk(1))
})

test('param: without a swing the price is constant', () => {
  expect(new Set(walk(1, 0).map(({ price }) => price))).toEqual(new Set([3_000]))
})
