import { namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { beginAttempt } from '../connection/connectionAttempt.ts'
import { confirm } from '../connection/further/confirmFurther.ts'
import { endConnection } from '../connection/further/endConnection.ts'
import { getWalletNamespace } from '../connection/further/furtherConnections.ts'
import { setConnection } from '../connection/setConnection.ts'
import { selectConnectedNamespace } from '../network/selectNamespace.ts'
import { activeNetwork, isConnected } from '../state.ts'
import { hasLogin } from './login/hasLogin.ts'

/**
 * Applies the account that the embedded wallet uses now, in each namespace that it is connected in.
 * Ends the connection in a namespace if the wallet returns no account, for example because the user
 * does not bring the wallet into this browser.
 */
export async function followAccount(app: App): Promise<void> {
  // One after the other, because each may prompt the user.
  for (const namespace of namespaces) {
    const connection = app.store.getState().connections[namespace]
    if (!isConnected(connection) || !hasLogin(app, connection.connectorId)) continue
    const { connectorId } = connection
    const attempt = beginAttempt(app, namespace)
    const result = await app.connectors
      .get(connectorId)
      ?.authorized({ namespace })
      .catch((cause: unknown) => {
        app.environment.warn('The account could not be read', cause)
      })
    if (!attempt.isCurrent()) continue
    const isSelected = activeNetwork(app.store.getState()).chainNamespace === namespace
    if (result) setConnection(app, { connectorId, result, isSelected })
    else {
      endConnection(app, { connectorId, namespace })
      selectConnectedNamespace(app)
    }
  }
  for (const connection of app.store.getState().furtherConnections)
    if (hasLogin(app, connection.connectorId)) await confirm(app, getWalletNamespace(connection))
}
