import { LatchkeyError, type Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'
import { chainFields } from '../connection/buildConnection.ts'
import { isUnsupported, openModal } from '../modal/modal.ts'
import { activeNetwork, isConnected } from '../state.ts'
import { selectNetwork } from './selectNetwork.ts'

/**
 * Makes a namespace active: selects the network of its wallet, or the app's first network of the
 * namespace if no wallet is connected. Sends no request to a wallet. Throws
 * NAMESPACE_NOT_CONFIGURED.
 */
export function selectNamespace(app: App, { namespace }: { namespace: Namespace }): void {
  const state = app.store.getState()
  if (activeNetwork(state).chainNamespace === namespace) return
  const connection = state.connections[namespace]
  const first = state.networks.find(({ chainNamespace }) => chainNamespace === namespace)
  if (!first) throw new LatchkeyError('NAMESPACE_NOT_CONFIGURED', { data: { namespace } })
  if (isConnected(connection)) {
    app.store.setState(chainFields(state, connection))
    app.storage.set('activeChainId', app.store.getState().activeChainId)
    if (isUnsupported(app)) openModal(app)
  } else selectNetwork(app, first.caipNetworkId)
}

/** Selects a connected namespace if the active namespace is no longer connected. */
export function selectConnectedNamespace(app: App): void {
  const state = app.store.getState()
  const active = activeNetwork(state).chainNamespace
  if (state.connections[active].status !== 'disconnected') return
  const other = state.networks.find(({ chainNamespace }) =>
    isConnected(state.connections[chainNamespace]),
  )
  if (other) selectNamespace(app, { namespace: other.chainNamespace })
}
