import type { Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { selectConnectedNamespace } from '../../network/selectNamespace.ts'
import { isConnected } from '../../state.ts'
import { commitConnection } from '../commitConnection.ts'
import { beginAttempt } from '../connectionAttempt.ts'
import { setDisconnected } from '../setConnection.ts'
import { putNextInUse } from './putNextInUse.ts'

/**
 * Updates a namespace to the connection that another tab has saved, without a prompt and without
 * saving it again.
 */
export async function followConnection(app: App, namespace: Namespace): Promise<void> {
  const saved = app.storage.get('connections')?.[namespace]
  const connection = app.store.getState().connections[namespace]
  if (!saved) {
    if (!isConnected(connection)) return
    beginAttempt(app, namespace)
    setDisconnected(app, namespace)
    putNextInUse(app, namespace)
    return selectConnectedNamespace(app)
  }
  if (connection.status === 'connecting') return
  const connector = app.connectors.get(saved.connectorId)
  if (!connector) return
  const attempt = beginAttempt(app, namespace)
  const result = await connector.authorized({ namespace }).catch(() => undefined)
  if (!attempt.isCurrent() || !result) return
  commitConnection(app, { connectorId: saved.connectorId, result, origin: 'otherTab' })
}
