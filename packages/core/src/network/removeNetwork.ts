import { type ChainId, LatchkeyError, type Namespace, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { isUnsupported, openModal } from '../modal/modal.ts'
import { assertSupported } from '../namespaces/namespaceMetadata.ts'
import { activeNetwork, emptyDrafts, isConnected } from '../state.ts'

/**
 * Removes a network, if it is listed. If it was selected, selects the first of the others; if the
 * wallet in use is on it, opens UnsupportedChain. Throws NO_ADAPTER, and INVALID_PARAMS for the
 * last network.
 */
export function removeNetwork(app: App, parameters: { chainId: ChainId }): void {
  const { chainId } = parameters
  assertSupported(chainId.split(':')[0] as Namespace)
  const { namespace } = parseChainId(chainId)
  const state = app.store.getState()
  const rest = state.networks.filter((entry) => entry.caipNetworkId !== chainId)
  if (rest.length === state.networks.length) return
  const [first, ...others] = rest
  if (!first)
    throw new LatchkeyError('INVALID_PARAMS', {
      data: { reason: 'the app needs at least one network' },
    })
  const connection = state.connections[namespace]
  const isInUse =
    isConnected(connection) &&
    connection.chainId === chainId &&
    activeNetwork(state).chainNamespace === namespace
  app.store.setState({
    networks: [first, ...others],
    ...(state.activeChainId === chainId && {
      activeChainId: first.caipNetworkId,
      ...emptyDrafts,
    }),
    ...(isInUse && { unsupportedChainId: chainId }),
  })
  if (isInUse && isUnsupported(app)) openModal(app)
}
