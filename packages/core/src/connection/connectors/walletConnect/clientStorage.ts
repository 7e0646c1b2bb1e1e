import type { ClientStorage } from '@latchkey/walletconnect'
import type { Environment } from '../../../app.ts'
import type { StorageArea } from '../../../storage.ts'

/**
 * The browser reports a change to other windows; this event reports it to the other apps of this
 * window.
 */
const changeEvent = 'latchkey:change'

/**
 * A storage of strings under a prefix, in the browser's area. Keeps in memory the values that the
 * browser cannot store (full, forbidden). Notifies other tabs and other apps of the same page of
 * changes.
 */
export function createClientStorage(parameters: {
  prefix: string
  area: StorageArea | undefined
  /** The target of `storage` events. */
  events: Environment['events']
}): ClientStorage {
  const { prefix, area, events } = parameters
  const memory = new Map<string, string>()
  const self = {}
  // Later, as with other tabs: by then everything has been written.
  const emit = (key: string) =>
    queueMicrotask(() => {
      const detail = { name: prefix + key, from: self }
      events?.dispatchEvent(new CustomEvent(changeEvent, { detail }))
    })

  function removeKept(key: string) {
    try {
      area?.removeItem(prefix + key)
    } catch {
      // Access is forbidden, so nothing was stored there either.
    }
  }

  return {
    get(key) {
      if (memory.has(key)) return memory.get(key)
      try {
        return area?.getItem(prefix + key) ?? undefined
      } catch {
        return undefined
      }
    },
    set(key, value) {
      try {
        if (!area) throw new Error('No storage')
        area.setItem(prefix + key, value)
        memory.delete(key)
      } catch {
        // The stored value is outdated: it must not be used at the next visit.
        removeKept(key)
        memory.set(key, value)
      }
      emit(key)
    },
    remove(key) {
      memory.delete(key)
      removeKept(key)
      emit(key)
    },
    keys: () => [...new Set([...memory.keys(), ...keptKeys(area, prefix)])],
    subscribe(listener) {
      const receive = (event: Event) => {
        const name = (event as StorageEvent).key
        // The whole storage was cleared.
        if (name === null || name === undefined) for (const key of memory.keys()) listener(key)
        else if (name.startsWith(prefix)) listener(name.slice(prefix.length))
      }
      const receiveHere = (event: Event) => {
        const { name, from } = (event as CustomEvent<{ name: string; from: object }>).detail
        if (from !== self && name.startsWith(prefix)) listener(name.slice(prefix.length))
      }
      events?.addEventListener('storage', receive)
      events?.addEventListener(changeEvent, receiveHere)
      return () => {
        events?.removeEventListener('storage', receive)
        events?.removeEventListener(changeEvent, receiveHere)
      }
    },
  }
}

function keptKeys(area: StorageArea | undefined, prefix: string): string[] {
  const keys: string[] = []
  try {
    for (let index = 0; index < (area?.length ?? 0); index += 1) {
      const name = area?.key(index)
      if (name?.startsWith(prefix)) keys.push(name.slice(prefix.length))
    }
  } catch {
    // Storage is forbidden: nothing is stored.
  }
  return keys
}
