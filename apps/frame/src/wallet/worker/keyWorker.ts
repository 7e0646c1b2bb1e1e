/// <reference lib="webworker" />
import { openKeyStore } from '../openKeyStore.ts'
import { browserLock } from '../vault.ts'
import { serveKeyWork } from './serveKeyWork.ts'

/** The worker: keys are made, put together and used here, and only here. It has a store and no network. */
async function start(): Promise<void> {
  const early: unknown[] = []
  let take = (message: unknown) => {
    early.push(message)
  }
  addEventListener('message', (event) => take(event.data))
  const store = await openKeyStore(factoryOf())
  const lock = browserLock(store.durable ? navigator.locks : undefined)
  take = serveKeyWork({ store, lock, send: (message) => postMessage(message) })
  for (const message of early) take(message)
  postMessage({ kind: 'ready' })
}

/** Where third-party storage is blocked even looking at it may throw. */
function factoryOf(): IDBFactory | undefined {
  try {
    return globalThis.indexedDB
  } catch {
    return undefined
  }
}

start()
