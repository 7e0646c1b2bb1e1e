import { createFairRoom, type FairShare } from '../shares/createFairRoom.ts'
import { createCounts } from './counts.ts'
import type { Kv } from './kv.ts'
import { type Level, takeFromBucket } from './tokenBucket.ts'

type Entry = { readonly value: string; readonly expiresAtMs: number; place?: FairShare }
type StoredLevel = Level & { place?: FairShare }

const sweepEveryMs = 1_000
const maxBytes = 64 * 1_048_576

/**
 * A kv store in this process with at most `maxEntries` values of 64 MiB in total, and as many
 * buckets. If there are more, the oldest entries of the largest kind are dropped: anyone can create
 * many keys, and one kind must not displace the others. A kind is the prefix of a key up to a
 * colon. Expired values are dropped within a second of the next write, because they may never be
 * read again.
 */
export function createMemoryKv(clock: () => number, maxEntries = 50_000): Kv {
  const entries = new Map<string, Entry>()
  const levels = new Map<string, StoredLevel>()
  const entryRoom = createFairRoom({ total: maxBytes, perClient: maxBytes })
  const levelRoom = createFairRoom({ total: maxEntries, perClient: maxEntries })
  const counts = createCounts()
  let newest: string | undefined
  let sweptAtMs = clock()
  const remove = (key: string) => {
    entries.get(key)?.place?.leave()
    entries.delete(key)
  }
  const sweep = () => {
    const nowMs = clock()
    if (Math.abs(nowMs - sweptAtMs) < sweepEveryMs) return
    sweptAtMs = nowMs
    for (const [key, { expiresAtMs }] of entries) if (expiresAtMs <= nowMs) remove(key)
  }
  const read = (key: string) => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expiresAtMs > clock()) return entry.value
    remove(key)
    return undefined
  }
  const createLevel = (key: string, tokens: number): StoredLevel => {
    const level: StoredLevel = { tokens, refilledAtMs: clock() }
    levels.set(key, level)
    level.place = levelRoom.enter(getKind(key), () => levels.delete(key))
    return level
  }
  return {
    get: read,
    getMany: async (keys) => keys.map(read),
    async set(key, value, ttlSeconds) {
      sweep()
      remove(key)
      const entry: Entry = { value, expiresAtMs: clock() + ttlSeconds * 1000 }
      entries.set(key, entry)
      const bytes = 2 * (key.length + value.length)
      const weight = Math.max(bytes, maxBytes / maxEntries)
      entry.place = entryRoom.enter(getKind(key), () => entries.delete(key), weight)
    },
    async delete(key) {
      remove(key)
    },
    take(key, bucket, cost = 1) {
      const level = levels.get(key) ?? createLevel(key, bucket.capacity)
      const allowed = takeFromBucket(level, bucket, clock(), cost)
      // Moving an entry that is already the newest would cost more than everything else.
      if (key !== newest) {
        level.place?.renew()
        newest = key
      }
      const retryAfterSeconds = allowed ? 0 : (1 - level.tokens) / bucket.refillPerSecond
      return { allowed, retryAfterSeconds }
    },
    enter: counts.enter,
    leave: counts.leave,
    async ping() {},
    async close() {
      for (const key of entries.keys()) remove(key)
      for (const { place } of levels.values()) place?.leave()
      levels.clear()
      newest = undefined
    },
  }
}

const getKind = (key: string) => key.slice(0, Math.max(0, key.indexOf(':')))
