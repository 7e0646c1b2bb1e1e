import type { KeyStore } from '../src/wallet/keyStore.ts'

/** A store that fails as told, or counts. */
export function watchStore(
  store: KeyStore,
  before: (step: 'get' | 'put' | 'delete', key: string) => void,
): KeyStore {
  return {
    ...store,
    get: async (key) => {
      before('get', key)
      return store.get(key)
    },
    put: async (key, value) => {
      before('put', key)
      return store.put(key, value)
    },
    delete: async (key) => {
      before('delete', key)
      return store.delete(key)
    },
  }
}
