import type { App } from '../../app.ts'
import { hasLogin } from '../../embedded/login/hasLogin.ts'
import { activeNetwork } from '../../state.ts'
import { beginAttempt } from '../connectionAttempt.ts'
import { closeAccountViews, forget, setDisconnected } from '../setConnection.ts'
import { dropFurther, isInUse, type WalletNamespace } from './furtherConnections.ts'
import { putInUse } from './putInUse.ts'

/**
 * Ends the connection of a wallet in a namespace, here and for the next visit. If it was in use,
 * the wallet that was used before takes its place.
 */
export function endConnection(app: App, place: WalletNamespace): void {
  const { connectorId, namespace } = place
  const state = app.store.getState()
  if (isInUse(state, place)) {
    const next = state.furtherConnections.find(
      ({ status, account }) => status === 'connected' && account.namespace === namespace,
    )
    if (!next) {
      beginAttempt(app, namespace)
      setDisconnected(app, namespace)
      forget(app, namespace)
      return
    }
    const isSelected = activeNetwork(state).chainNamespace === namespace
    putInUse(app, { connection: next, isSelected })
    closeAccountViews(app)
  }
  dropFurther(app, place)
  if (hasLogin(app, connectorId)) app.store.setState({ user: undefined })
}
