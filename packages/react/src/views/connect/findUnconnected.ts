import { type ConnectorInfo, listConnections, type State } from '@latchkey/core/internal'
import { findRowWallet } from './walletRows.ts'

/**
 * The connectors of a connector's wallet that are not connected, in the order of the page's
 * networks: one for each further namespace.
 */
export function findUnconnected(state: State, connectorId: string): readonly ConnectorInfo[] {
  const order = state.networks.map(({ chainNamespace }) => chainNamespace)
  const rank = ({ namespaces: [namespace] }: ConnectorInfo) => order.indexOf(namespace)
  const connected = listConnections(state).map((connection) => connection.connectorId)
  return findRowWallet(state.connectors, connectorId)
    .filter((info) => rank(info) >= 0 && !connected.includes(info.id))
    .sort((one, other) => rank(one) - rank(other))
}
