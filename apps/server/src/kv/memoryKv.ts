import { createCounts } from './counts.ts'
import type { Kv } from './kv.ts'
import { type Level, takeFromBucket } from './tokenBucket.ts'

type Entry = { readonly value: string; readonly expiresAtMs: number }

const sweepEveryMs = 1_000

/**
 * A kv store in this process with at most `maxEntries` values and as many buckets. The oldest are dropped first. Expired
 * values are dropped within a second of the next write, because nobody may read them again.
 */
export function createMemoryKv(clock: () => number, maxEntries = 50_000): Kv {
  const entries = new Map<string, Entry>()
  const levels = new Map<string, Level>()
  const counts = createCounts()
  let newest: string | undefined
  let sweptAtMs = clock()
  const sweep = () => {
    const nowMs = clock()
    if (Math.abs(nowMs - sweptAtMs) < sweepEveryMs) return
    sweptAtMs = nowMs
    for (const [key, { expiresAtMs }] of entries) if (expiresAtMs <= nowMs) entries.delete(key)
  }
  const read = (key: string) => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAtMs > clock()) return entry.value
    entries.delete(key)
    return undefined
  }
  return {
    get: read,
    getMany: async (keys) => keys.map(read),
    async set(key, value, ttlSeconds) {
      sweep()
      entries.delete(key)
      entries.set(key, { value, expiresAtMs: clock() + ttlSeconds * 1000 })
      dropOldest(entries, maxEntries)
    },
    async delete(key) {
      entries.delete(key)
    },
    take(key, bucket, cost = 1) {
      const nowMs = clock()
      const level = levels.get(key) ?? { tokens: bucket.capacity, refilledAtMs: nowMs }
      const allowed = takeFromBucket(level, bucket, nowMs, cost)
      // Moving an entry that is already the newest would cost more than everything else.
      if (key !== newest) {
        levels.delete(key)
        levels.set(key, level)
        dropOldest(levels, maxEntries)
        newest = key
      }
      const retryAfterSeconds = allowed ? 0 : (1 - level.tokens) / bucket.refillPerSecond
      return { allowed, retryAfterSeconds }
    },
    enter: counts.enter,
    leave: counts.leave,
    async ping() {},
    async close() {
      entries.clear()
      levels.clear()
      newest = undefined
    },
  }
}

function dropOldest(map: Map<string, unknown>, maxEntries: number) {
  if (map.size <= maxEntries) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
