import { createMemoryStore, type KeyStore } from '../wallet/keyStore.ts'
import { openKeyStore } from '../wallet/openKeyStore.ts'
import { openDeviceKey } from './deviceKey.ts'
import { createDpopFetch } from './dpopFetch.ts'
import { createLoginSession, type LoginSession } from './loginSession.ts'

/**
 * Opens this browser's store and the session in it; if the browser stores nothing, both last as
 * long as the page.
 */
export async function openLoginSession(): Promise<{ store: KeyStore; session: LoginSession }> {
  const store = await openKeyStore(getIndexedDb())
  try {
    return { store, session: await open(store) }
  } catch {
    // A browser that stores data, but no keys.
    const memory = createMemoryStore()
    return { store: memory, session: await open(memory) }
  }
}

async function open(store: KeyStore): Promise<LoginSession> {
  const openKey = () => openDeviceKey(store)
  await openKey()
  return createLoginSession({
    store,
    send: createDpopFetch(openKey, fetch.bind(globalThis)),
    now: Date.now,
  })
}

/** If third-party storage is blocked, even accessing the property may throw. */
function getIndexedDb(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB
  } catch {
    return undefined
  }
}
