import { activeNetwork, isConnected, type Network, type State } from '@latchkey/core'
import type { ChainId, Namespace } from '@latchkey/wire'
import type { DataOptions } from '../hooks/dataOptions.ts'
import { useAppState } from './useAppState.ts'

/**
 * The account and the network that a hook reads. Without options, the account of the selected
 * network. Without a connection, and while the wallet is on a network that the app does not have,
 * the network is the selected network or the app's first. Throws an Error if the app does not have
 * the network of `chainId`.
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

/** The network with a CAIP-2 id. Throws an Error if the app does not have the network. */
export function getNetwork({ networks }: State, chainId: ChainId): Network {
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  if (network) return network
  throw new Error(`The network ${chainId} is not one of the networks of this app`)
}

function findNetwork(
  state: State,
  namespace: Namespace | undefined,
  asked: ChainId | undefined,
): Network {
  const active = activeNetwork(state)
  if (asked !== undefined) return getNetwork(state, asked)
  if (namespace === undefined || namespace === active.chainNamespace) return active
  const connection = state.connections[namespace]
  const chainId = isConnected(connection) ? connection.chainId : undefined
  const own = state.networks.filter(({ chainNamespace }) => chainNamespace === namespace)
  return own.find(({ caipNetworkId }) => caipNetworkId === chainId) ?? own[0] ?? active
}
