import type { ChainId, Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { isConnected } from '../state.ts'
import type { SavedConnection } from '../storageSchema.ts'

/**
 * The networks of a namespace, in order of preference: the connection's network, the selected
 * network, then the app's list.
 */
export function getPreferredChains(app: App, namespace: Namespace): readonly ChainId[] {
  const { connections, activeChainId, networks } = app.store.getState()
  const connection = connections[namespace]
  const ids = networks
    .filter(({ chainNamespace }) => chainNamespace === namespace)
    .map(({ caipNetworkId }) => caipNetworkId)
  const first = [isConnected(connection) ? connection.chainId : undefined, activeChainId]
  return [...new Set([...first.flatMap((id) => ids.filter((each) => each === id)), ...ids])]
}

/** The namespace's saved connection, if it is with this connector. */
export function getSavedConnection(
  app: App,
  { namespace, connectorId }: { namespace: Namespace; connectorId: string },
): SavedConnection | undefined {
  const saved = app.storage.get('connections')?.[namespace]
  return saved?.connectorId === connectorId ? saved : undefined
}
