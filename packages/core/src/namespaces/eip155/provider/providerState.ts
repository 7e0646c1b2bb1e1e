import type { Network } from '../../../networks.ts'
import { type Connected, isConnected, type State } from '../../../state.ts'

/** The connection that a provider represents; undefined while no wallet is connected. */
export function getProviderConnection({ connections: { eip155 } }: State): Connected | undefined {
  return isConnected(eip155) ? eip155 : undefined
}

/**
 * The network that a provider represents: the selected network if it is an EVM network, otherwise
 * its wallet's, otherwise the app's first.
 */
export function getProviderNetwork(state: State): Network | undefined {
  const own = state.networks.filter(({ chainNamespace }) => chainNamespace === 'eip155')
  const find = (chainId: string | undefined) =>
    own.find(({ caipNetworkId }) => caipNetworkId === chainId)
  return find(state.activeChainId) ?? find(getProviderConnection(state)?.chainId) ?? own[0]
}

/** The addresses of a connection, the selected address first. */
export const getAddresses = (connection: Connected | undefined): string[] =>
  connection
    ? [
        ...new Set([
          connection.account.address,
          ...connection.accounts.map(({ address }) => address),
        ]),
      ]
    : []
