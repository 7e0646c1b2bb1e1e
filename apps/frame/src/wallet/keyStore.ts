/**
 * The browser's store: keys that cannot be extracted, its wrapped share, and public data. Values
 * are structured clones. `durable` is false if the browser stores nothing and the tab's memory is
 * used instead.
 */
export type KeyStore = {
  readonly durable: boolean
  get(key: string): Promise<unknown>
  put(key: string, value: unknown): Promise<void>
  delete(key: string): Promise<void>
  /** Deletes everything. */
  clear(): Promise<void>
}

/**
 * The key under which a browser stores its keys once it holds a wallet or has started to create
 * one.
 */
export const keysKey = 'browser keys'

/** A store that lasts as long as its page. */
export function createMemoryStore(values = new Map<string, unknown>()): KeyStore {
  return {
    durable: false,
    get: async (key) => values.get(key),
    async put(key, value) {
      values.set(key, value)
    },
    async delete(key) {
      values.delete(key)
    },
    async clear() {
      values.clear()
    },
  }
}
