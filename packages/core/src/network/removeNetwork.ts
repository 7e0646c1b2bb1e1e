import { type ChainId, LatchkeyError, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { assertSupported } from '../namespaces/namespaceFacts.ts'
import { emptySendDraft, isConnected } from '../state.ts'

/**
 * Removes a network, if it is there. If it was selected, the first of the others is selected. Throws
 * NO_ADAPTER, and INVALID_PARAMS for the last one.
 */
export function removeNetwork(app: App, parameters: { chainId: ChainId }): void {
  const { chainId } = parameters
  const { namespace } = parseChainId(chainId)
  assertSupported(namespace)
  const state = app.store.getState()
  const rest = state.networks.filter((entry) => entry.caipNetworkId !== chainId)
  if (rest.length === state.networks.length) return
  const [first, ...others] = rest
  if (!first)
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'an app needs a network' } })
  const connection = state.connections[namespace]
  const isWalletThere = isConnected(connection) && connection.chainId === chainId
  app.store.setState({
    networks: [first, ...others],
    ...(state.activeChainId === chainId && {
      activeChainId: first.caipNetworkId,
      sendDraft: emptySendDraft,
    }),
    ...(isWalletThere && { unsupportedChainId: chainId }),
  })
}
