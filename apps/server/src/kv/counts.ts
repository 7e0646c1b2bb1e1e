import type { SlotKey } from './kv.ts'

/** Counts open things in this process, by key. */
export function createCounts() {
  const open = new Map<string, number>()
  const get = (key: string) => open.get(key) ?? 0
  const add = (key: string, more: number) => {
    const count = get(key) + more
    if (count > 0) open.set(key, count)
    else open.delete(key)
  }
  return {
    /** Counts one more at each place, or returns the key of a full place. */
    enter(places: readonly SlotKey[]): string | undefined {
      const full = places.find(({ key, most }) => get(key) >= most)
      if (full === undefined) for (const { key } of places) add(key, 1)
      return full?.key
    },
    leave(keys: readonly string[]): void {
      for (const key of keys) add(key, -1)
    },
    get,
    keys: () => [...open.keys()],
  }
}
