/**
 * Where this browser keeps its part: keys that cannot be extracted, its wrapped share, and what is not secret. Values
 * are structured clones. `durable` is false where the browser keeps nothing: the tab's memory stands in.
 */
export type KeyStore = {
  readonly durable: boolean
  get(key: string): Promise<unknown>
  put(key: string, value: unknown): Promise<void>
  delete(key: string): Promise<void>
  /** Forgets this browser. */
  clear(): Promise<void>
}

/** Where the keys of a browser are that holds a wallet, or has begun to. */
export const keysKey = 'browser keys'

/** A store that is gone with its page. */
export function createMemoryStore(): KeyStore {
  const values = new Map<string, unknown>()
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
