import { findProgram } from './findProgram.ts'
import { installDebian } from './installDebian.ts'

/**
 * Path of a Redis server: `REDIS_SERVER`, an installed one, else Debian's package. Throws if none
 * can be installed.
 */
export async function ensureRedis(): Promise<string> {
  const found = process.env.REDIS_SERVER ?? findProgram('redis-server', 'valkey-server')
  if (found !== undefined) return found
  const packaged = installDebian('redis-server') ? findProgram('redis-server') : undefined
  if (packaged !== undefined) return packaged
  throw new Error('No Redis: install redis-server, or set REDIS_SERVER to its path')
}
