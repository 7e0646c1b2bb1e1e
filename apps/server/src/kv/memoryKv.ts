import type { Bucket, Kv, Take } from './kv.ts'

type Entry = { readonly value: string; readonly expiresAtMs: number }
type Level = { readonly tokens: number; readonly atMs: number }

const sweepEveryMs = 1_000

/**
 * A kv store in this process, of at most `maxEntries` values and as many buckets; the oldest make room. Values that are
 * over are dropped within a second of the next write: nobody may come back for them.
 */
export function createMemoryKv(clock: () => number, maxEntries = 50_000): Kv {
  const entries = new Map<string, Entry>()
  const levels = new Map<string, Level>()
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
    get: async (key) => read(key),
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
    async take(key, bucket, cost = 1) {
      const { take, level } = takeTokens(levels.get(key), { bucket, cost, nowMs: clock() })
      levels.delete(key)
      levels.set(key, level)
      dropOldest(levels, maxEntries)
      return take
    },
    async ping() {},
    async close() {
      entries.clear()
      levels.clear()
    },
  }
}

function takeTokens(
  before: Level | undefined,
  {
    bucket,
    cost,
    nowMs,
  }: { readonly bucket: Bucket; readonly cost: number; readonly nowMs: number },
) {
  const elapsed = before === undefined ? 0 : Math.max(0, nowMs - before.atMs) / 1000
  const refilled = (before?.tokens ?? bucket.capacity) + elapsed * bucket.refillPerSecond
  const tokens = Math.min(bucket.capacity, refilled)
  const allowed = tokens >= 1
  const take: Take = {
    allowed,
    retryAfterSeconds: allowed ? 0 : (1 - tokens) / bucket.refillPerSecond,
  }
  return { take, level: { tokens: allowed ? tokens - cost : tokens, atMs: nowMs } }
}

function dropOldest(map: Map<string, unknown>, maxEntries: number) {
  if (map.size <= maxEntries) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
