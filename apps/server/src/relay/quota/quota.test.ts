import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeTokens } from '../../kv/tokenBucket.ts'
import { createQuotas } from './quota.ts'
import { createStoredBytes } from './storedBytes.ts'

const rate = { capacity: 10, refillPerSecond: 2 }
const limits = { rate, sockets: 1, subscriptions: 1, bytes: 100 }

function setUp() {
  const clock = { nowMs: 1_700_000_000_000 }
  const now = () => clock.nowMs
  return { clock, quotas: createQuotas({ now, limits }), held: createStoredBytes({ now }) }
}

test('behavior: a quota is forgotten when nothing of it is in use, and not before', () => {
  const { clock, quotas, held } = setUp()
  const quota = quotas.get('a')
  expect(quotas.get('a')).toBe(quota)
  quota.sockets = 1
  held.add('m', 40, [quota], clock.nowMs + 60_000)
  takeTokens([{ level: quota.level, rate }], clock.nowMs)
  const sizeAfter = (ms: number) => {
    clock.nowMs += ms
    held.sweep()
    quotas.sweep()
    return quotas.size()
  }
  expect(sizeAfter(1_000)).toBe(1)
  quota.sockets = 0
  expect(sizeAfter(1_000)).toBe(1)
  expect(quota.bytes).toBe(40)
  expect(sizeAfter(120_000)).toBe(0)
  expect(quota.bytes).toBe(0)
})

test('behavior: bytes held are those not released and not expired, give or take the slot of a minute', () => {
  const message = fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 3_600 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(message), fc.nat(4_000), (messages, laterSeconds) => {
      const { clock, quotas, held } = setUp()
      const [quota, another] = [quotas.get('a'), quotas.get('b')]
      const startMs = clock.nowMs
      for (const [at, [bytes, ttl]] of messages.entries())
        held.add(`${at}`, bytes, [quota], startMs + ttl * 1000)
      for (const [at, [, , released]] of messages.entries())
        for (let twice = 0; twice < 2 && released; twice++) held.release(`${at}`, another)
      clock.nowMs += laterSeconds * 1000
      held.sweep()
      const alive = (marginSeconds: number) =>
        messages
          .filter(([, ttl, released]) => !released && ttl + marginSeconds > laterSeconds)
          .reduce((sum, [bytes]) => sum + bytes, 0)
      return quota.bytes >= alive(0) && quota.bytes <= alive(60)
    }),
  )
})

test('param: mostMs: none counts for longer', () => {
  const clock = { nowMs: 1_700_000_000_000 }
  const now = () => clock.nowMs
  const quota = createQuotas({ now, limits }).get('a')
  const held = createStoredBytes({ now, maxMs: 1_000 })
  held.add('m', 40, [quota], now() + 86_400_000)
  clock.nowMs += 61_000
  held.sweep()
  expect(quota.bytes).toBe(0)
})
