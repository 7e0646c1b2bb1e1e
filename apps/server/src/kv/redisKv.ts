import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Kv } from './kv.ts'
import { createRedisCounts } from './redisCounts.ts'

/** The time comes from Redis, so that processes with different clocks share a bucket fairly. */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local capacity, refill, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local level = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local elapsed = math.max(0, now - (tonumber(level[2]) or now)) / 1000
local tokens = math.min(capacity, (tonumber(level[1]) or capacity) + elapsed * refill)
local allowed = tokens >= 1
local wait = 0
if allowed then tokens = tokens - cost else wait = (1 - tokens) / refill end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - tokens) / refill * 1000) + 1000)
return { allowed and 1 or 0, tostring(wait) }
`

/**
 * A kv store in Redis, for several server processes. Keys begin with `latchkey:`. While Redis is
 * unavailable, commands fail at once. A response may take `answerMs`.
 */
export async function createRedisKv(url: string, log: Logger, answerMs = 2_000): Promise<Kv> {
  const redis = new Redis(url, {
    keyPrefix: 'latchkey:',
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 3_000,
    commandTimeout: answerMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  })
  redis.on('error', (error: Error) => log.warn({ reason: error.message }, 'redis is unreachable'))
  // It keeps reconnecting in the background. /ready reports the state in the meantime.
  await redis.connect().catch(() => {})
  const counts = createRedisCounts(redis)
  return {
    enter: counts.enter,
    leave: counts.leave,
    get: async (key) => (await redis.get(key)) ?? undefined,
    async getMany(keys) {
      if (keys.length === 0) return []
      return (await redis.mget(...keys)).map((value) => value ?? undefined)
    },
    async set(key, value, ttlSeconds) {
      await redis.set(key, value, 'PX', Math.max(1, Math.round(ttlSeconds * 1000)))
    },
    async delete(key) {
      await redis.del(key)
    },
    async take(key, { capacity, refillPerSecond }, cost = 1) {
      const values = [capacity, refillPerSecond, cost]
      const answer = await redis.eval(takeScript, 1, `bucket:${key}`, ...values)
      const [allowed, wait] = answer as [number, string]
      return { allowed: allowed === 1, retryAfterSeconds: Number(wait) }
    },
    async ping() {
      await redis.ping()
    },
    async close() {
      counts.stop()
      redis.disconnect()
    },
  }
}
