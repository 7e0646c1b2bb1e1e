import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { createCounts } from './counts.ts'
import type { Kv } from './kv.ts'

/** A process whose last heartbeat is older counts as ended. */
const aliveMs = 20_000
const beatMs = 5_000

/**
 * Each place is a hash with the count of each process. `processes` holds the time until which each
 * process counts. Processes that ended long ago are deleted from the places that the script reads.
 */
const enterScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
for place = 2, #KEYS do
  local counts = redis.call('HGETALL', KEYS[place])
  local sum = 0
  for at = 1, #counts, 2 do
    local until_ms = tonumber(redis.call('ZSCORE', KEYS[1], counts[at]) or '0')
    if until_ms >= now then sum = sum + tonumber(counts[at + 1])
    elseif until_ms < now - 600000 then redis.call('HDEL', KEYS[place], counts[at]) end
  end
  if sum >= tonumber(ARGV[place + 1]) then return place - 1 end
end
for place = 2, #KEYS do
  redis.call('HINCRBY', KEYS[place], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[place], 604800000)
end
return 0
`
/** Writes the heartbeat of this process, and its actual counts. */
const beatScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 600000)
for place = 2, #KEYS do
  if ARGV[place + 1] == '0' then redis.call('HDEL', KEYS[place], ARGV[1])
  else
    redis.call('HSET', KEYS[place], ARGV[1], ARGV[place + 1])
    redis.call('PEXPIRE', KEYS[place], 604800000)
  end
end
return 0
`
/** The most places that one script writes. */
const maxPlaces = 1_000

/**
 * The counts of all processes together, in Redis. While Redis is unavailable, each process counts
 * only its own.
 */
export function createRedisCounts(redis: Redis): Pick<Kv, 'enter' | 'leave'> & { stop(): void } {
  const id = randomUUID()
  const counts = createCounts()
  // Keys whose count in Redis may be wrong.
  let stale = new Set<string>()
  let isWriting = false

  async function write(): Promise<void> {
    if (isWriting) return
    isWriting = true
    try {
      do {
        const keys = [...stale].slice(0, maxPlaces)
        for (const key of keys) stale.delete(key)
        try {
          const values = [id, aliveMs, ...keys.map((key) => counts.get(key))]
          await run(beatScript, keys, values)
        } catch {
          for (const key of keys) stale.add(key)
          return
        }
      } while (stale.size > 0)
    } finally {
      isWriting = false
    }
  }
  const run = (script: string, keys: readonly string[], values: readonly (string | number)[]) => {
    const places = ['open:processes', ...keys.map((key) => `open:${key}`)]
    return redis.eval(script, places.length, ...places, ...values)
  }
  const timer = setInterval(() => void write(), beatMs).unref()
  // Redis may have lost everything.
  redis.on('ready', () => {
    stale = new Set(counts.keys())
    void write()
  })
  const leave = (keys: readonly string[]) => {
    counts.leave(keys)
    for (const key of keys) stale.add(key)
    void write()
  }
  return {
    async enter(places) {
      // Counted in this process first, so that the limits apply even without Redis.
      const full = counts.enter(places)
      if (full !== undefined) return full
      const keys = places.map(({ key }) => key)
      try {
        const values = [id, aliveMs, ...places.map(({ most }) => most)]
        const at = Number(await run(enterScript, keys, values))
        if (at === 0) return undefined
        leave(keys)
        return keys[at - 1]
      } catch {
        for (const key of keys) stale.add(key)
        return undefined
      }
    },
    leave,
    stop() {
      clearInterval(timer)
      void redis.zrem('open:processes', id).catch(() => {})
    },
  }
}
