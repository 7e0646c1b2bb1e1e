import type { Namespace } from '@latchkey/wire'
import { anySignal } from '@latchkey/wire'
import type { App } from '../app.ts'

/** How long to wait for a wallet to announce itself; longer than the reconnect timeout. */
const maxWaitMs = 10_000

/**
 * After a reload, a wallet may announce itself only after its account is already in use. Resolves
 * when the wallet of a namespace is found or the wait times out. Returns undefined if no wait is
 * needed, so that a request can be sent within the click.
 */
export function waitForWallet(app: App, namespace: Namespace): Promise<void> | undefined {
  const isFound = () => {
    const connection = app.store.getState().connections[namespace]
    return connection.status !== 'reconnecting' || app.connectors.has(connection.connectorId)
  }
  return isFound() ? undefined : untilState(app, isFound, AbortSignal.timeout(maxWaitMs))
}

/** Resolves when the wallet has reported its accounts, was disconnected, or the app ends. */
export const waitForReconnect = (app: App, namespace: Namespace): Promise<void> =>
  untilState(app, () => app.store.getState().connections[namespace].status !== 'reconnecting')

function untilState(app: App, isReached: () => boolean, limit?: AbortSignal): Promise<void> {
  const signal = limit ? anySignal([app.signal, limit]) : app.signal
  return new Promise((resolve) => {
    const look = () => {
      if (!signal.aborted && !isReached()) return
      unsubscribe()
      signal.removeEventListener('abort', look)
      resolve()
    }
    const unsubscribe = app.store.subscribe(look)
    signal.addEventListener('abort', look)
    look()
  })
}
