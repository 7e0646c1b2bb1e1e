import type { CaipAddress, Namespace } from '@latchkey/wire'
import { activeNetwork, type Connected, emptyDrafts, isConnected, type State } from '../state.ts'
import type { ConnectResult } from './connectors/connector.ts'

/** A connection with accounts; the first account is the current one. */
export const connected = (parameters: {
  status: Connected['status']
  connectorId: string
  result: ConnectResult
}): Connected => {
  const { status, connectorId, result } = parameters
  const { wallet } = result
  const [account] = result.accounts
  return {
    status,
    connectorId,
    accounts: result.accounts,
    account,
    chainId: result.chainId,
    caipAddress: `${result.chainId}:${account.address}` as CaipAddress,
    ...(wallet && { wallet }),
  }
}

/**
 * Whether a namespace's chain may be selected automatically. The selected network stays while its
 * namespace is connected.
 */
export function maySelect(state: State, namespace: Namespace): boolean {
  const active = activeNetwork(state).chainNamespace
  return namespace === active || !isConnected(state.connections[active])
}

/**
 * The state that follows from a connection's chain: the chain is selected, or it is not among the
 * app's networks.
 */
export function chainFields(state: State, connection: Connected): Partial<State> {
  const { chainId } = connection
  if (!state.networks.some((network) => network.caipNetworkId === chainId)) {
    const { namespace } = connection.account
    const isActive = activeNetwork(state).chainNamespace === namespace
    const own = state.networks.find(({ chainNamespace }) => chainNamespace === namespace)
    return {
      unsupportedChainId: chainId,
      // The namespace is still the active one.
      ...(!isActive && own && { activeChainId: own.caipNetworkId, ...emptyDrafts }),
    }
  }
  const fields = { unsupportedChainId: undefined, activeChainId: chainId }
  return state.activeChainId === chainId ? fields : { ...fields, ...emptyDrafts }
}
