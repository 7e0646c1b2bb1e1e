import type { ChainId, Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import type { Connector } from '../connectors/connector.ts'

/** How long a saved wallet has to announce itself after the page has loaded. */
const walletArrivalMs = 3_000

/** Resolves when any of the connectors is available, or the app or the signal ends. */
export function waitForAny(app: App, ids: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const end = () => {
      unsubscribe()
      done.abort()
      resolve()
    }
    const look = () => ids.some((id) => app.connectors.has(id)) && end()
    const unsubscribe = app.store.subscribe(look)
    for (const each of [app.signal, signal])
      each.addEventListener('abort', end, { signal: done.signal })
    look()
  })
}

/** The connector, as soon as its wallet has announced itself; undefined if it does not appear. */
export async function waitForConnector(app: App, id: string): Promise<Connector | undefined> {
  const done = new AbortController()
  const timeout = app.environment.sleep(walletArrivalMs, done.signal)
  await Promise.race([waitForAny(app, [id], done.signal), timeout])
  done.abort()
  return app.connectors.get(id)
}

/**
 * Reads the accounts that a wallet allows. If the wallet switches its network before it responds,
 * the new network counts.
 */
export async function readAuthorized(connector: Connector, namespace: Namespace) {
  let chainId: ChainId | undefined
  const stop = connector.subscribe((event) => {
    if (event.type === 'chainChanged' && event.chainId.startsWith(`${namespace}:`))
      chainId = event.chainId
  })
  try {
    const result = await connector.authorized({ namespace })
    return result && chainId ? { ...result, chainId } : result
  } finally {
    stop()
  }
}
