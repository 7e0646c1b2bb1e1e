import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

/** A Lua script that is sent whole only when Redis does not know it. */
export function prepareScript(redis: Redis, lua: string) {
  const sha = createHash('sha1').update(lua).digest('hex')
  return async (keys: readonly string[], values: readonly (string | number)[]) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...values)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(lua, keys.length, ...keys, ...values)
    }
  }
}
