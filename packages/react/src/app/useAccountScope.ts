import { activeNetwork, isConnected, type Network, type State } from '@latchkey/core'
import type { ChainId, Namespace } from '@latchkey/wire'
import type { DataOptions } from '../hooks/dataOptions.ts'
import { useAppState } from './useAppState.ts'

/**
 * The account and the network that a hook reads. Without options, the account of the selected
 * network. Without a connection, and while the wallet is on a network that the app does not have,
 * the network is the selected network or the app's first.
 */
export function useAccountScope({
  namespace,
  address,
  chainId,
}: Pick<DataOptions, 'namespace' | 'address' | 'chainId'> = {}): {
  address: string | undefined
  network: Network
  chainId: ChainId
} {
  const network = useAppState((state) => findNetwork(state, namespace, chainId))
  const connected = useAppState(({ connections }) => {
    const connection = connections[namespace ?? network.chainNamespace]
    return isConnected(connection) ? connection.account.address : undefined
  })
  return { address: address ?? connected, network, chainId: network.caipNetworkId }
}

function findNetwork(
  state: State,
  namespace: Namespace | undefined,
  asked: ChainId | undefined,
): Network {
  const active = activeNetwork(state)
  const named = state.networks.find(({ caipNetworkId }) => caipNetworkId === asked)
  if (named) return named
  if (namespace === undefined || namespace === active.chainNamespace) return active
  const connection = state.connections[namespace]
  const chainId = isConnected(connection) ? connection.chainId : undefined
  const own = state.networks.filter(({ chainNamespace }) => chainNamespace === namespace)
  return own.find(({ caipNetworkId }) => caipNetworkId === chainId) ?? own[0] ?? active
}
