import type { App } from '../../app.ts'
import { hasLogin } from '../../embedded/login/hasLogin.ts'
import { beginAttempt } from '../connectionAttempt.ts'
import { closeAccountViews, forget, setDisconnected } from '../setConnection.ts'
import { dropFurther, isInUse, type WalletNamespace } from './furtherConnections.ts'
import { putNextInUse } from './putNextInUse.ts'

/**
 * Ends the connection of a wallet in a namespace, here and for the next visit. If it was in use,
 * the wallet that was used before takes its place.
 */
export function endConnection(app: App, place: WalletNamespace): void {
  const { connectorId, namespace } = place
  if (isInUse(app.store.getState(), place)) {
    if (!putNextInUse(app, namespace)) {
      beginAttempt(app, namespace)
      setDisconnected(app, namespace)
      forget(app, namespace)
      return
    }
    closeAccountViews(app, namespace)
  }
  dropFurther(app, place)
  if (hasLogin(app, connectorId)) app.store.setState({ user: undefined })
}
