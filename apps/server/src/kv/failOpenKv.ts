import type { Logger } from 'pino'
import { recoverFrom } from '../awaitable.ts'
import { getErrorMessage } from '../getErrorMessage.ts'
import type { Kv } from './kv.ts'

/**
 * Makes a kv store a cache that may fail: while it is unavailable, reads return nothing, writes do
 * nothing, and a warning is logged.
 */
export function failOpenKv(kv: Kv, log: Logger): Kv {
  const missed = (error: unknown) => {
    log.warn({ reason: getErrorMessage(error) }, 'cache not used')
    return undefined
  }
  return {
    ...kv,
    get: (key) => recoverFrom(kv.get(key), missed),
    async getMany(keys) {
      return (await kv.getMany(keys).catch(missed)) ?? keys.map(() => undefined)
    },
    set: (key, value, ttlSeconds) => kv.set(key, value, ttlSeconds).catch(missed),
    delete: (key) => kv.delete(key).catch(missed),
  }
}
