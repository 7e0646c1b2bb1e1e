import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { disconnect } from '../connection/disconnect.ts'
import { listConnections } from '../state.ts'
import { getLoginConnector } from './login/getLoginConnector.ts'
import { hasLogin } from './login/hasLogin.ts'

/**
 * Signs out of the embedded wallet, connected or not, and ends its connections. Throws
 * DISCONNECT_FAILED and the frame's errors.
 */
export const signOut = (app: App): Promise<void> =>
  attempt(async () => {
    const connection = listConnections(app.store.getState()).find(({ connectorId }) =>
      hasLogin(app, connectorId),
    )
    if (connection) await disconnect(app, { connectorId: connection.connectorId })
    else await getLoginConnector(app)?.disconnect()
  })
