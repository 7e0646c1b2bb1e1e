import { type Namespace, namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { showError } from '../modal/showError.ts'
import { selectConnectedNamespace } from '../network/selectNamespace.ts'
import { activeNetwork } from '../state.ts'
import { followSession } from './commitConnection.ts'
import { beginAttempt } from './connectionAttempt.ts'
import type { ConnectorEvent } from './connectors/connector.ts'
import { forget, getLeftConnectors, setConnection, setDisconnected } from './setConnection.ts'

/**
 * Keeps the state in step with the connected wallets until the app is destroyed; further calls
 * change nothing.
 */
export function watchAccount(app: App): void {
  if (app.runtime.watching) return
  app.runtime.watching = true
  const watched = new Map<string, () => void>()
  const follow = () => {
    const wantedIds = new Set([...app.runtime.awaited, ...connectedIds(app)])
    for (const [id, stop] of watched) {
      if (wantedIds.has(id)) continue
      stop()
      watched.delete(id)
    }
    for (const id of wantedIds) {
      const connector = app.connectors.get(id)
      if (!connector || watched.has(id)) continue
      const listener = (event: ConnectorEvent) => receive(app, { connectorId: id, event })
      watched.set(id, connector.subscribe(listener))
    }
  }
  const unsubscribe = app.store.subscribe(follow)
  app.signal.addEventListener('abort', () => {
    unsubscribe()
    for (const stop of watched.values()) stop()
  })
  follow()
}

const connectedIds = (app: App) =>
  Object.values(app.store.getState().connections).flatMap((connection) =>
    connection.status === 'connected' ? connection.connectorId : [],
  )

function receive(app: App, parameters: { connectorId: string; event: ConnectorEvent }) {
  const { connectorId, event } = parameters
  if (event.type === 'refused') return showError(app, event.error)
  if (event.type === 'message') {
    for (const listener of [...app.runtime.walletListeners]) listener(event.message)
    return
  }
  if (event.type === 'changed') return followSession(app, { ...event, connectorId })
  for (const namespace of namespaces)
    if (concerns(event, namespace)) receiveIn(app, { namespace, connectorId, event })
}

type AccountEvent = Exclude<ConnectorEvent, { type: 'refused' | 'message' | 'changed' }>

function concerns(event: AccountEvent, namespace: Namespace) {
  if (event.type === 'chainChanged') return event.chainId.startsWith(`${namespace}:`)
  if (event.type === 'accountsChanged')
    return event.accounts.every((account) => account.namespace === namespace)
  // An app's connector may send events that these types do not have.
  if (event.type !== 'disconnect') return false
  return event.namespace === undefined || event.namespace === namespace
}

function receiveIn(
  app: App,
  parameters: { namespace: Namespace; connectorId: string; event: AccountEvent },
) {
  const { namespace, connectorId, event } = parameters
  const connection = app.store.getState().connections[namespace]
  if (connection.status !== 'connected' || connection.connectorId !== connectorId) return
  // Another tab may have disconnected it; its storage event can arrive later.
  if (getLeftConnectors(app).includes(connectorId)) return
  // Only a wallet of the active namespace may change the selected network.
  const isSelected = activeNetwork(app.store.getState()).chainNamespace === namespace
  // The wallet's event is newer than any read of it that is still in progress.
  beginAttempt(app, namespace)
  if (event.type === 'chainChanged')
    return setConnection(app, {
      connectorId,
      result: { accounts: connection.accounts, chainId: event.chainId },
      isSelected,
    })
  const [first, ...rest] = event.type === 'accountsChanged' ? event.accounts : []
  if (first)
    return setConnection(app, {
      connectorId,
      result: { accounts: [first, ...rest], chainId: connection.chainId },
      isSelected,
    })
  setDisconnected(app, namespace)
  forget(app, namespace)
  selectConnectedNamespace(app)
}
