import type { App } from '../app.ts'
import { setConnection } from '../connection/setConnection.ts'
import { assertSupported } from '../namespaces/namespaceMetadata.ts'
import type { Network } from '../networks.ts'
import { isConnected } from '../state.ts'

/**
 * Adds a network to the app's networks. Does nothing if it is already listed. Throws NO_ADAPTER.
 */
export function addNetwork(app: App, parameters: { network: Network }): void {
  const { network } = parameters
  const { chainNamespace: namespace, caipNetworkId } = network
  assertSupported(namespace)
  const { networks, unsupportedChainId } = app.store.getState()
  if (networks.some((entry) => entry.caipNetworkId === caipNetworkId)) return
  app.store.setState({ networks: [...networks, network] })
  // The wallet is on this network already, which is now supported.
  const connection = app.store.getState().connections[namespace]
  if (unsupportedChainId === caipNetworkId && isConnected(connection))
    setConnection(app, {
      connectorId: connection.connectorId,
      result: connection,
      isSaved: false,
    })
}
