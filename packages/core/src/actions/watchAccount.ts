import { type Namespace, namespaces } from '@latchkey/wire'
import type { ConnectorEvent } from '../connectors/connector.ts'
import type { App } from '../createApp.ts'
import type { Connection } from '../state.ts'
import { adopt, forget, setDisconnected } from './adopt.ts'
import { beginTurn } from './turn.ts'

/** Keeps the state in step with the connected wallets until the app is destroyed; asked again it goes on as it does. */
export function watchAccount(app: App): void {
  if (app.work.watching) return
  app.work.watching = true
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
  app.signal.addEventListener('abort', () => {
    unsubscribe()
    for (const { stop } of watched.values()) stop()
  })
  follow()
}

const connectorIdOf = (connection: Connection) =>
  connection.status === 'connected' ? connection.connectorId : undefined

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
