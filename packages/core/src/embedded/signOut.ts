import { namespaces } from '@latchkey/wire'
import type { App } from '../app.ts'
import { attempt } from '../attempt.ts'
import { disconnect } from '../connection/disconnect.ts'
import { isConnected } from '../state.ts'
import { getLoginConnector } from './login/getLoginConnector.ts'
import { hasLogin } from './login/hasLogin.ts'

/**
 * Signs out of the embedded wallet, connected or not, and ends its connections. Throws
 * DISCONNECT_FAILED and the frame's errors.
 */
export const signOut = (app: App): Promise<void> =>
  attempt(async () => {
    const { connections } = app.store.getState()
    const namespace = namespaces.find((each) => {
      const connection = connections[each]
      return isConnected(connection) && hasLogin(app, connection.connectorId)
    })
    if (namespace) await disconnect(app, { namespace })
    else await getLoginConnector(app)?.disconnect()
  })
