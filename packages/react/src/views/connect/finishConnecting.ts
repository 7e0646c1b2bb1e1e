import {
  type App,
  activeNetwork,
  forceCloseModal,
  listConnections,
  resetViews,
  type State,
  signsIn,
} from '@latchkey/core/internal'
import { findUnconnected } from './findUnconnected.ts'

/**
 * Ends the view that has connected a wallet. If the wallet is the first and the modal was opened to
 * connect, offers the wallet's further namespaces, unless the account has to sign in now.
 */
export function finishConnecting(app: App, connectorId: string): void {
  const state = app.store.getState()
  const isOffered =
    state.modal.history[0]?.name === 'Connect' &&
    isOnly(state, connectorId) &&
    !signsIn(app, activeNetwork(state).chainNamespace) &&
    findUnconnected(state, connectorId).length > 0
  if (isOffered) resetViews(app, { name: 'ConnectNamespaces', connectorIds: [connectorId] })
  else forceCloseModal(app)
}

/** Whether no other wallet, and no further namespace of this wallet, is connected. */
const isOnly = (state: State, connectorId: string) =>
  listConnections(state).every((connection) => connection.connectorId === connectorId)
