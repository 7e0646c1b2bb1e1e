import type { Services } from '../services.ts'

type Needs = Pick<Services, 'kv' | 'clock' | 'log'>

/** A found value, when it was found, and for how many more seconds it counts. */
export type Remembered<Value> = {
  readonly value: Value
  readonly atMs: number
  readonly secondsLeft: number
}

/** What was found and for how long it counts. */
export type Found<Value> = { readonly value: Value; readonly ttlSeconds: number }

/**
 * Keeps in kv, under `prefix`, what `find` finds for a key; JSON must carry it. All who ask for it at once wait for one
 * search. What throws is not kept.
 */
export function remember<Value>(
  { kv, clock, log }: Needs,
  prefix: string,
): (key: string, find: () => Promise<Found<Value>>) => Promise<Remembered<Value>> {
  const flights = new Map<string, Promise<Remembered<Value>>>()
  const missed = (error: unknown) => {
    log.warn({ err: error }, `${prefix} cache not used`)
    return undefined
  }
  const look = async (key: string, find: () => Promise<Found<Value>>) => {
    const kept = await kv.get(`${prefix}:${key}`).catch(missed)
    if (kept !== undefined) {
      const { value, atMs, ttlSeconds }: Found<Value> & { atMs: number } = JSON.parse(kept)
      // Clocks differ, and go back.
      const left = Math.ceil(ttlSeconds - (clock() - atMs) / 1000)
      const secondsLeft = Math.min(ttlSeconds, Math.max(0, left))
      return { value, atMs, secondsLeft }
    }
    const { value, ttlSeconds } = await find()
    const atMs = clock()
    const text = JSON.stringify({ value, ttlSeconds, atMs })
    await kv.set(`${prefix}:${key}`, text, ttlSeconds).catch(missed)
    return { value, atMs, secondsLeft: ttlSeconds }
  }
  return (key, find) => {
    const flying = flights.get(key)
    if (flying) return flying
    const flight = look(key, find).finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }
}
