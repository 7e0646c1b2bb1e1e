import { activeNetwork, isConnected, type Network, type State } from '@latchkey/core'
import type { ChainId, Namespace } from '@latchkey/wire'
import { useAppState } from './useAppState.ts'

/**
 * An account and the network that it is looked at on: those of a namespace, or of the active one. Without a connection, and
 * while the wallet is on a network that the app does not have, the network is the selected one or the app's first.
 */
export function useHolder({ namespace }: { namespace?: Namespace | undefined } = {}): {
  address: string | undefined
  network: Network
  chainId: ChainId
} {
  const network = useAppState((state) => findNetwork(state, namespace))
  const address = useAppState(({ connections }) => {
    const connection = connections[namespace ?? network.chainNamespace]
    return isConnected(connection) ? connection.account.address : undefined
  })
  return { address, network, chainId: network.caipNetworkId }
}

function findNetwork(state: State, namespace: Namespace | undefined): Network {
  const active = activeNetwork(state)
  if (namespace === undefined || namespace === active.chainNamespace) return active
  const connection = state.connections[namespace]
  const chainId = isConnected(connection) ? connection.chainId : undefined
  const own = state.networks.filter(({ chainNamespace }) => chainNamespace === namespace)
  return own.find(({ caipNetworkId }) => caipNetworkId === chainId) ?? own[0] ?? active
}
