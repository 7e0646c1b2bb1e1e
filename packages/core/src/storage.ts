import { parseBoundedJson } from '@latchkey/wire'
import { entries } from './storageSchema.ts'

/** The part of the browser's `localStorage` and `sessionStorage` that is used. */
export type StorageArea = Pick<
  globalThis.Storage,
  'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'
>

/** Entries of another version are dropped. */
const version = 1

/** The `storageKey` of an app that sets none. */
export const defaultStorageKey = 'latchkey'

type Entries = typeof entries
export type StorageKey = keyof Entries
export type StorageValue<Key extends StorageKey> = ReturnType<Entries[Key]>

export type Storage = {
  /** The saved value; undefined if missing or invalid. A corrupt entry is dropped. */
  get<Key extends StorageKey>(key: Key): StorageValue<Key> | undefined
  /** Saves a value; keeps it in memory if the browser's storage is full or forbidden. */
  set<Key extends StorageKey>(key: Key, value: StorageValue<Key>): void
  remove(key: StorageKey): void
  /** Calls the listener when another tab has changed an entry. */
  subscribe(listener: (key: StorageKey) => void): () => void
}

/**
 * Storage under the app's prefix. Without an area (a server, a forbidden storage) it keeps
 * everything in memory.
 */
export function createStorage(parameters: {
  area?: StorageArea | undefined
  /** The target of `storage` events. */
  events?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined
  /** The app's `storageKey`. */
  storageKey?: string | undefined
}): Storage {
  const { area, events, storageKey = defaultStorageKey } = parameters
  const prefix = `${storageKey}.`
  const memory = new Map<string, string>()

  function read(name: string) {
    try {
      return memory.get(name) ?? area?.getItem(name) ?? undefined
    } catch {
      return undefined
    }
  }

  function remove(key: StorageKey) {
    memory.delete(prefix + key)
    try {
      area?.removeItem(prefix + key)
    } catch {
      // Access is forbidden, so nothing was saved there either.
    }
  }

  return {
    get(key) {
      const saved = read(prefix + key)
      const value = saved === undefined ? undefined : parse(key, saved)
      if (saved !== undefined && value === undefined) remove(key)
      return value
    },
    set(key, value) {
      const saved = JSON.stringify({ version, value })
      if (read(prefix + key) === saved) return
      memory.delete(prefix + key)
      try {
        if (!area) throw new Error('No storage')
        area.setItem(prefix + key, saved)
      } catch {
        // The saved value is out of date and must not come back at the next visit.
        remove(key)
        memory.set(prefix + key, saved)
      }
    },
    remove,
    subscribe(listener) {
      const receive = (event: Event) => {
        // Null when everything was removed.
        const { key: name } = event as StorageEvent
        for (const key of Object.keys(entries))
          if (name === null || name === prefix + key) listener(key as StorageKey)
      }
      events?.addEventListener('storage', receive)
      return () => events?.removeEventListener('storage', receive)
    },
  }
}

function parse<Key extends StorageKey>(key: Key, saved: string): StorageValue<Key> | undefined {
  try {
    // Throws for null; any other value has at least no version.
    const { version: found, value } = parseBoundedJson(saved) as {
      version?: unknown
      value?: unknown
    }
    return found === version ? (entries[key](value) as StorageValue<Key>) : undefined
  } catch {
    return undefined
  }
}

/**
 * The browser's storage, if it exists and access is allowed. Reading `localStorage` itself may
 * throw.
 */
export function browserArea(name: 'local' | 'session'): StorageArea | undefined {
  try {
    return globalThis[`${name}Storage`]
  } catch {
    return undefined
  }
}
