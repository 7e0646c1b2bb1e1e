import { type Namespace, namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { selectConnectedNamespace } from '../network/selectNamespace.ts'
import { isConnected } from '../state.ts'
import type { StorageKey } from '../storage.ts'
import { commitConnection } from './commitConnection.ts'
import { beginAttempt } from './connectionAttempt.ts'
import { followFurther } from './further/followFurther.ts'
import { selectSaved } from './restore.ts'
import { setDisconnected } from './setConnection.ts'
import { watchAccount } from './watchAccount.ts'

/** Applies the data that another tab has saved under a key. */
export function followTab(app: App, key: StorageKey): void {
  if (key === 'connections') {
    watchAccount(app)
    for (const namespace of namespaces) void followConnection(app, namespace)
  }
  if (key === 'furtherConnections') {
    watchAccount(app)
    void followFurther(app)
  }
  if (key === 'recentWallets')
    app.store.setState({ recentWallets: app.storage.get('recentWallets') ?? [] })
  if (key === 'contacts') app.store.setState({ contacts: app.storage.get('contacts') ?? [] })
  if (key === 'activeChainId' && !namespaces.some((namespace) => isConnectedIn(app, namespace)))
    selectSaved(app, app.storage.get('activeChainId'))
}

const isConnectedIn = (app: App, namespace: Namespace) =>
  isConnected(app.store.getState().connections[namespace])

/**
 * Updates a namespace to the connection that another tab has saved, without a prompt and without
 * saving it again.
 */
export async function followConnection(app: App, namespace: Namespace): Promise<void> {
  const saved = app.storage.get('connections')?.[namespace]
  const connection = app.store.getState().connections[namespace]
  if (!saved) {
    if (!isConnected(connection)) return
    beginAttempt(app, namespace)
    setDisconnected(app, namespace)
    return selectConnectedNamespace(app)
  }
  if (connection.status === 'connecting') return
  const connector = app.connectors.get(saved.connectorId)
  if (!connector) return
  const attempt = beginAttempt(app, namespace)
  const result = await connector.authorized({ namespace }).catch(() => undefined)
  if (!attempt.isCurrent() || !result) return
  commitConnection(app, { connectorId: saved.connectorId, result, origin: 'otherTab' })
}
