import { recoverFrom } from '../awaitable.ts'
import type { Services } from '../services.ts'

type LookupCacheDeps = Pick<Services, 'kv' | 'clock' | 'log'>

/** A value, when it was found, and for how many more seconds it is valid. */
export type CachedLookup<Value> = {
  readonly value: Value
  readonly atMs: number
  readonly secondsLeft: number
}

/** A result and how long it is valid. */
export type LookupResult<Value> = { readonly value: Value; readonly ttlSeconds: number }

/** A cached result counts only if it is at most `freshMs` old. */
type CachedLookupFunction<Value> = (
  key: string,
  find: () => Promise<LookupResult<Value>>,
  freshMs?: number,
) => Promise<CachedLookup<Value>>

/**
 * Caches the results of `find` in kv, under `prefix`; they must be JSON. Concurrent requests for a
 * key share one search. Failed searches are not cached.
 */
export function createLookupCache<Value>(
  { kv, clock, log }: LookupCacheDeps,
  prefix: string,
): CachedLookupFunction<Value> {
  const flights = new Map<string, Promise<CachedLookup<Value>>>()
  const missed = (error: unknown) => {
    log.warn({ err: error }, `${prefix} cache not used`)
    return undefined
  }
  const look: CachedLookupFunction<Value> = async (
    key,
    find,
    freshMs = Number.POSITIVE_INFINITY,
  ) => {
    const saved = await recoverFrom(kv.get(`${prefix}:${key}`), missed)
    if (saved !== undefined) {
      const { value, atMs, ttlSeconds }: LookupResult<Value> & { atMs: number } = JSON.parse(saved)
      // Clocks differ, and may be set back.
      const ageMs = Math.abs(clock() - atMs)
      const remaining = Math.ceil(ttlSeconds - (clock() - atMs) / 1000)
      const secondsLeft = Math.min(ttlSeconds, Math.max(0, remaining))
      if (ageMs <= freshMs) return { value, atMs, secondsLeft }
    }
    const { value, ttlSeconds } = await find()
    const atMs = clock()
    const text = JSON.stringify({ value, ttlSeconds, atMs })
    await kv.set(`${prefix}:${key}`, text, ttlSeconds).catch(missed)
    return { value, atMs, secondsLeft: ttlSeconds }
  }
  return (key, find, freshMs) => {
    // A forced lookup does not share the result of a cached one.
    const flightKey = `${freshMs ?? ''} ${key}`
    const flying = flights.get(flightKey)
    if (flying) return flying
    const flight = look(key, find, freshMs).finally(() => flights.delete(flightKey))
    flights.set(flightKey, flight)
    return flight
  }
}
