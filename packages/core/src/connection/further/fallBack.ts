import type { Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { isConnected } from '../../state.ts'
import { commitConnection } from '../commitConnection.ts'
import { beginAttempt } from '../connectionAttempt.ts'
import { setDisconnected } from '../setConnection.ts'
import { followConnection } from './followConnection.ts'
import { putNextInUse } from './putNextInUse.ts'

/** Keeps the connection to restore. An attempt that is replaced by another is never restored. */
export function keepPrevious(app: App, namespace: Namespace): void {
  const connection = app.store.getState().connections[namespace]
  if (isConnected(connection)) app.runtime.before[namespace] = connection
  else if (connection.status === 'disconnected') delete app.runtime.before[namespace]
}

/**
 * Restores an earlier connection, with the wallet's present accounts. Without any, puts the wallet
 * in use that was used before.
 */
export async function fallBack(app: App, namespace: Namespace): Promise<void> {
  const { runtime, store } = app
  const previous = runtime.before[namespace]
  if (!previous) {
    setDisconnected(app, namespace)
    // Another tab may have connected meanwhile.
    await followConnection(app, namespace)
    if (store.getState().connections[namespace].status === 'disconnected')
      putNextInUse(app, namespace)
    return
  }
  const { connectorId } = previous
  const attempt = beginAttempt(app, namespace)
  store.setState(({ connections }) => ({
    connections: { ...connections, [namespace]: { ...previous, status: 'reconnecting' } },
  }))
  const connector = app.connectors.get(connectorId)
  const result = await connector?.authorized({ namespace }).catch(() => undefined)
  if (!attempt.isCurrent()) return
  const isBack =
    result &&
    commitConnection(app, {
      connectorId,
      result,
      origin: 'silent',
      into: [namespace],
      selects: true,
    })
  if (isBack) return
  setDisconnected(app, namespace)
  putNextInUse(app, namespace)
}
