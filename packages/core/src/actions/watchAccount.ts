import { type Namespace, namespaces } from '@latchkey/wire'
import type { ConnectorEvent } from '../connectors/connector.ts'
import type { App } from '../createApp.ts'
import { type Connection, isConnected } from '../state.ts'
import { adopt, forget, setDisconnected, show } from './adopt.ts'
import { selectSaved } from './restore.ts'
import { beginTurn } from './turn.ts'

/** Keeps the state in step with the connected wallets and with the other tabs, until the app is destroyed. */
export function watchAccount(app: App): void {
  const watched = new Map<Namespace, { connectorId: string; stop: () => void }>()
  const follow = () => {
    for (const namespace of namespaces) {
      const id = connectorIdOf(app.store.getState().connections[namespace])
      const present = watched.get(namespace)
      if (present?.connectorId === id) continue
      present?.stop()
      watched.delete(namespace)
      const connector = id === undefined ? undefined : app.connectors.get(id)
      if (!connector || id === undefined) continue
      const listener = (event: ConnectorEvent) =>
        receive(app, { namespace, connectorId: id, event })
      watched.set(namespace, { connectorId: id, stop: connector.subscribe(listener) })
    }
  }
  const unsubscribe = app.store.subscribe(follow)
  const stopStorage = app.storage.subscribe((key) => {
    if (key === 'connections') for (const namespace of namespaces) void followTab(app, namespace)
    if (key === 'recentWallets')
      app.store.setState({ recentWallets: app.storage.get('recentWallets') ?? [] })
    if (key === 'activeChainId' && !namespaces.some((namespace) => isConnectedIn(app, namespace)))
      selectSaved(app, app.storage.get('activeChainId'))
  })
  app.signal.addEventListener('abort', () => {
    unsubscribe()
    stopStorage()
    for (const { stop } of watched.values()) stop()
  })
  follow()
}

const connectorIdOf = (connection: Connection) =>
  connection.status === 'connected' ? connection.connectorId : undefined

const isConnectedIn = (app: App, namespace: Namespace) =>
  isConnected(app.store.getState().connections[namespace])

function receive(
  app: App,
  parameters: { namespace: Namespace; connectorId: string; event: ConnectorEvent },
) {
  const { namespace, connectorId, event } = parameters
  const connection = app.store.getState().connections[namespace]
  if (connection.status !== 'connected' || connection.connectorId !== connectorId) return
  // The wallet's word is newer than whatever read of it still runs.
  beginTurn(app, namespace)
  if (event.type === 'chainChanged')
    return adopt(app, {
      connectorId,
      result: { accounts: connection.accounts, chainId: event.chainId },
    })
  const [first, ...rest] = event.type === 'accountsChanged' ? event.accounts : []
  if (first)
    return adopt(app, {
      connectorId,
      result: { accounts: [first, ...rest], chainId: connection.chainId },
    })
  setDisconnected(app, namespace)
  forget(app, namespace)
}

/** Brings a namespace to what another tab has saved, without a prompt and without saving it again. */
async function followTab(app: App, namespace: Namespace) {
  const saved = app.storage.get('connections')?.[namespace]
  const connection = app.store.getState().connections[namespace]
  if (!saved) {
    if (!isConnected(connection)) return
    beginTurn(app, namespace)
    return setDisconnected(app, namespace)
  }
  if (connection.status === 'connecting') return
  const connector = app.connectors.get(saved.connectorId)
  if (!connector) return
  const turn = beginTurn(app, namespace)
  const result = await connector.authorized({ namespace }).catch(() => undefined)
  if (turn.isCurrent() && result) show(app, { connectorId: saved.connectorId, result })
}
