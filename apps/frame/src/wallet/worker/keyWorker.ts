/// <reference lib="webworker" />
import { openKeyStore } from '../openKeyStore.ts'
import { browserLock } from '../vault.ts'
import { serveKeyWork } from './serveKeyWork.ts'

/**
 * The worker: keys are created, combined and used here and nowhere else. It has a store and no
 * network.
 */
async function start(): Promise<void> {
  const pendingMessages: unknown[] = []
  let take = (message: unknown) => {
    pendingMessages.push(message)
  }
  addEventListener('message', (event) => take(event.data))
  const store = await openKeyStore(getIndexedDb())
  const lock = browserLock(store.durable ? navigator.locks : undefined)
  take = serveKeyWork({ store, lock, send: (message) => postMessage(message) })
  for (const message of pendingMessages) take(message)
  postMessage({ kind: 'ready', durable: store.durable })
}

/** If third-party storage is blocked, even accessing the property may throw. */
function getIndexedDb(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB
  } catch {
    return undefined
  }
}

start()
