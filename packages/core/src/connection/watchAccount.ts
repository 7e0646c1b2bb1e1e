import { type ChainId, type Namespace, namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { showError } from '../modal/showError.ts'
import { selectConnectedNamespace } from '../network/selectNamespace.ts'
import { type Account, activeNetwork, listConnections } from '../state.ts'
import { followSession } from './commitConnection.ts'
import { beginAttempt } from './connectionAttempt.ts'
import type { ConnectorEvent } from './connectors/connector.ts'
import { endConnection } from './further/endConnection.ts'
import { followConnection } from './further/followConnection.ts'
import { dropFurther, findConnection, isInUse, setFurther } from './further/furtherConnections.ts'
import { getLeftConnectors, setConnection, setDisconnected } from './setConnection.ts'

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
  listConnections(app.store.getState()).flatMap(({ status, connectorId }) =>
    status === 'connected' ? connectorId : [],
  )

function receive(app: App, parameters: { connectorId: string; event: ConnectorEvent }) {
  const { connectorId, event } = parameters
  if (event.type === 'refused') return showError(app, event.error)
  if (event.type === 'message') {
    const state = app.store.getState()
    // A page believes that messages come from the wallet in use.
    if (!namespaces.some((namespace) => isInUse(state, { connectorId, namespace }))) return
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
  const state = app.store.getState()
  const place = { connectorId, namespace }
  const connection = findConnection(state, place)
  if (connection?.status !== 'connected') return
  // Another tab may have disconnected it; its storage event can arrive later.
  if (getLeftConnectors(app).includes(connectorId)) return
  const isUsed = isInUse(state, place)
  // Only a wallet in use in the active namespace may change the selected network.
  const isSelected = activeNetwork(state).chainNamespace === namespace
  const saved = app.storage.get('connections')?.[namespace]
  // Another tab may have put another wallet in use; its storage event can arrive later.
  const isSaved = !saved || saved.connectorId === connectorId
  // The wallet's event is newer than any read of it that is still in progress.
  if (isUsed && isSaved) beginAttempt(app, namespace)
  const set = (result: { accounts: readonly [Account, ...Account[]]; chainId: ChainId }) =>
    isUsed
      ? setConnection(app, { connectorId, result, isSelected, isSaved })
      : setFurther(app, { connectorId, result: { ...connection, ...result } })
  if (event.type === 'chainChanged')
    return set({ accounts: connection.accounts, chainId: event.chainId })
  const [first, ...rest] = event.type === 'accountsChanged' ? event.accounts : []
  if (first) return set({ accounts: [first, ...rest], chainId: connection.chainId })
  if (isUsed && !isSaved) {
    dropFurther(app, place)
    setDisconnected(app, namespace)
    return void followConnection(app, namespace)
  }
  endConnection(app, place)
  // The wallet of an unused connection must not change the selected network.
  if (isUsed) selectConnectedNamespace(app)
}
