import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeTokens } from './tokenBucket.ts'

const rate = { capacity: 10, refillPerSecond: 2 }

test('behavior: one token of each or none of any', () => {
  const level = (tokens: number) => ({ tokens, refilledAtMs: 0 })
  const [full, empty] = [level(3), level(0.5)]
  expect(
    takeTokens(
      [full, empty].map((each) => ({ level: each, rate })),
      0,
    ),
  ).toBe(false)
  expect([full.tokens, empty.tokens]).toEqual([3, 0.5])
  expect(
    takeTokens(
      [full, empty].map((each) => ({ level: each, rate })),
      250,
    ),
  ).toBe(true)
  expect([full.tokens, empty.tokens]).toEqual([2.5, 0])
})

test('param: cost: a bucket that is not empty pays it, if need be later', () => {
  const levels = [{ level: { tokens: 1, refilledAtMs: 0 }, rate }]
  expect(takeTokens(levels, 0, 5)).toBe(true)
  expect(takeTokens(levels, 2_000)).toBe(false)
  expect(takeTokens(levels, 2_500)).toBe(true)
})

test('behavior: over any time no client takes more than the burst and the refill', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: -100, max: 5_000 }), fc.nat(20)))
  fc.assert(
    fc.property(steps, (given) => {
      const level = { tokens: rate.capacity, refilledAtMs: 0 }
      let [nowMs, latestMs, taken] = [0, 0, 0]
      let forwardMs = 0
      for (const [step, tries] of given) {
        nowMs += step
        forwardMs += Math.max(0, step)
        latestMs = Math.max(latestMs, nowMs)
        for (let at = 0; at < tries; at++) if (takeTokens([{ level, rate }], nowMs)) taken += 1
      }
      return taken <= rate.capacity + (forwardMs / 1000) * rate.refillPerSecond
    }),
  )
})
