import type { Logger } from 'pino'
import type { Kv } from './kv.ts'

/** A kv store as a cache: while it is away nothing is known and nothing is kept, and that is told in the log. */
export function forgivingKv(kv: Kv, log: Logger): Kv {
  const missed = (error: unknown) => {
    log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'cache not used')
    return undefined
  }
  return {
    ...kv,
    get: (key) => kv.get(key).catch(missed),
    async getMany(keys) {
      return (await kv.getMany(keys).catch(missed)) ?? keys.map(() => undefined)
    },
    set: (key, value, ttlSeconds) => kv.set(key, value, ttlSeconds).catch(missed),
    delete: (key) => kv.delete(key).catch(missed),
  }
}
