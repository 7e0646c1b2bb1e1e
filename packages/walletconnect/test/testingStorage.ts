import type { ClientStorage } from '../src/client.ts'

/** A storage for tests that tabs of one origin share. */
export type TestStorage = {
  /** One tab's view of the storage. Reports other tabs' changes after they are written. */
  tab(): ClientStorage
  /** All stored entries. */
  readonly entries: Map<string, string>
}

/** Creates a storage with these entries, by default empty. */
export function createTestStorage(entries: Iterable<[string, string]> = []): TestStorage {
  const stored = new Map(entries)
  const listeners = new Map<object, Set<(key: string) => void>>()
  return {
    entries: stored,
    tab() {
      const own = new Set<(key: string) => void>()
      listeners.set(own, own)
      const notifyOthers = (key: string) => {
        for (const set of listeners.values())
          if (set !== own)
            for (const listener of set) setTimeout(() => set.has(listener) && listener(key))
      }
      return {
        get: (key) => stored.get(key),
        set(key, value) {
          stored.set(key, value)
          notifyOthers(key)
        },
        remove(key) {
          if (stored.delete(key)) notifyOthers(key)
        },
        keys: () => [...stored.keys()],
        subscribe(listener) {
          own.add(listener)
          return () => own.delete(listener)
        },
      }
    },
  }
}
