import { createMemoryStore, type KeyStore } from './keyStore.ts'

const databaseName = 'latchkey-wallet'
const objects = 'values'
const openMs = 5_000

/**
 * Opens the browser's store (IndexedDB), or memory if it is missing, refuses, hangs, or does not
 * return what was stored (third-party cookies blocked, private windows, a full disk).
 */
export async function openKeyStore(factory: IDBFactory | undefined): Promise<KeyStore> {
  try {
    if (!factory) return createMemoryStore()
    const store = createIndexedDbStore(await open(factory))
    await store.put('probe', { at: 1 })
    const back = (await store.get('probe')) as { at?: unknown } | undefined
    await store.delete('probe')
    return back?.at === 1 ? store : createMemoryStore()
  } catch {
    return createMemoryStore()
  }
}

function open(factory: IDBFactory): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the store does not open')), openMs)
    const request = factory.open(databaseName, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(objects)
    request.onblocked = () => reject(new Error('the store is blocked'))
    request.onerror = () => {
      clearTimeout(timer)
      reject(request.error ?? new Error('the store does not open'))
    }
    request.onsuccess = () => {
      clearTimeout(timer)
      // Another tab that deletes the store must not wait for us.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
  })
}

/** A write is complete when its transaction is on disk, not when its request succeeds. */
function createIndexedDbStore(database: IDBDatabase): KeyStore {
  const run = <T>(mode: IDBTransactionMode, callVault: (store: IDBObjectStore) => IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(objects, mode, { durability: 'strict' })
      const request = callVault(transaction.objectStore(objects))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('the store refused'))
      transaction.onerror = () => reject(transaction.error ?? new Error('the store refused'))
    })
  return {
    durable: true,
    get: (key) => run('readonly', (store) => store.get(key) as IDBRequest<unknown>),
    put: async (key, value) => {
      await run('readwrite', (store) => store.put(value, key))
    },
    delete: async (key) => {
      await run('readwrite', (store) => store.delete(key))
    },
    clear: async () => {
      await run('readwrite', (store) => store.clear())
    },
  }
}
