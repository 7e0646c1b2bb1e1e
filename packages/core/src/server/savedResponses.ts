import type { App } from '../app.ts'
import type { StorageValue } from '../storage.ts'

/** The caches in storage: responses by id, each with the time at which its read began. */
type Cache = 'names' | 'nativeBalances' | 'portfolios'
type SavedResponse<Key extends Cache> = StorageValue<Key>[string]
type CacheEntry<Key extends Cache> = { cache: Key; id: string }

/** How many responses a cache keeps. */
const maxResponses = 20

/** The saved response, if it is at most `lifetimeMs` old. */
export function getSavedResponse<Key extends Cache>(
  app: App,
  { cache, id, lifetimeMs }: CacheEntry<Key> & { lifetimeMs: number },
): SavedResponse<Key> | undefined {
  const saved = readCache(app, cache)[id]
  const ageMs = app.environment.now() - (saved?.atMs ?? Number.NEGATIVE_INFINITY)
  return ageMs >= 0 && ageMs < lifetimeMs ? saved : undefined
}

/**
 * Saves a response and returns true, unless a later read has saved its own. A response from the
 * future was saved while the clock was wrong, and is replaced. Keeps only the newest responses, so
 * that storage does not fill up.
 */
export function saveResponse<Key extends Cache>(
  app: App,
  { cache, id, answer }: CacheEntry<Key> & { answer: SavedResponse<Key> },
): boolean {
  const saved = readCache(app, cache)
  const savedAtMs = saved[id]?.atMs ?? Number.NEGATIVE_INFINITY
  if (savedAtMs > answer.atMs && savedAtMs <= app.environment.now()) return false
  const newest = Object.entries({ ...saved, [id]: answer })
    .sort(([, one], [, other]) => other.atMs - one.atMs)
    .slice(0, maxResponses)
  app.storage.set(cache, Object.fromEntries(newest) as StorageValue<Key>)
  return true
}

/** Removes the responses whose id matches, so that they are read again. */
export function removeResponses(
  app: App,
  { cache, isRemoved }: { cache: Cache; isRemoved: (id: string) => boolean },
): void {
  const saved = Object.entries(readCache(app, cache)).filter(([id]) => !isRemoved(id))
  app.storage.set(cache, Object.fromEntries(saved) as StorageValue<typeof cache>)
}

const readCache = <Key extends Cache>(app: App, cache: Key) =>
  (app.storage.get(cache) ?? {}) as Record<string, SavedResponse<Key>>
