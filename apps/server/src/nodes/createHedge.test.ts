import { expect, test } from 'vitest'
import { createHedge } from './createHedge.ts'

test('default: waits as long as 95 of the last hundred responses took, at first for a given time', () => {
  const hedge = createHedge(1_000)
  expect(hedge.delayMs()).toBe(1_000)
  for (let ms = 1; ms <= 100; ms++) hedge.noteMs(ms)
  expect(hedge.delayMs()).toBe(95)
  for (let times = 0; times < 100; times++) hedge.noteMs(2)
  expect(hedge.delayMs()).toBe(20)
})

test('behavior: a tenth of the reads may be sent twice, ten at once after a quiet time', () => {
  const hedge = createHedge(1_000)
  const spend = (reads: number) =>
    Array.from({ length: reads }, () => {
      hedge.earn()
      return hedge.spend()
    }).filter(Boolean).length
  expect(spend(10)).toBe(10)
  expect(spend(1_000)).toBeLessThanOrEqual(101)
  expect(spend(1_000)).toBeGreaterThanOrEqual(99)
})
