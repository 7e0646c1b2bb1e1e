import { LatchkeyError, type Namespace, namespaces } from '@latchkey/wire'
import { countEvent } from '../analytics/countEvent.ts'
import type { App } from '../app.ts'
import { selectConnectedNamespace } from '../network/selectNamespace.ts'
import { isConnected } from '../state.ts'
import { beginAttempt } from './connectionAttempt.ts'
import { forget, getLeftConnectors, setDisconnected } from './setConnection.ts'

/**
 * Ends the connection of a namespace, or all connections; cancels a pending connect. The page is
 * disconnected in any case, also at the next visit. Throws DISCONNECT_FAILED, or
 * DISCONNECT_CHAIN_FAILED for a single namespace, if the wallet could not be notified.
 */
export async function disconnect(
  app: App,
  parameters: { namespace?: Namespace } = {},
): Promise<void> {
  const { namespace } = parameters
  const ids = new Set<string>()
  const disconnected: Namespace[] = []
  for (const each of namespace ? together(app, namespace) : namespaces) {
    const connection = app.store.getState().connections[each]
    beginAttempt(app, each)
    if (connection.status === 'disconnected') continue
    // Withdraw a pairing that is still open.
    if (connection.status !== 'connecting' || app.runtime.awaited.has(connection.connectorId))
      ids.add(connection.connectorId)
    setDisconnected(app, each)
    disconnected.push(each)
  }
  // Save the mark first: another tab that finds the connection missing must see that it was ended
  // on purpose.
  app.storage.set('disconnected', [...new Set([...getLeftConnectors(app), ...ids])])
  for (const each of disconnected) forget(app, each)
  selectConnectedNamespace(app)
  try {
    await Promise.all([...ids].map((id) => app.connectors.get(id)?.disconnect()))
    if (ids.size > 0) countEvent(app, { event: 'DISCONNECT_SUCCESS' })
  } catch (cause) {
    countEvent(app, { event: 'DISCONNECT_ERROR' })
    if (namespace)
      throw new LatchkeyError('DISCONNECT_CHAIN_FAILED', { data: { chain: namespace }, cause })
    throw new LatchkeyError('DISCONNECT_FAILED', { cause })
  }
}

/** The namespaces of a namespace's connector: they share a session, which ends for all. */
function together(app: App, namespace: Namespace): readonly Namespace[] {
  const { connections } = app.store.getState()
  const connection = connections[namespace]
  if (!isConnected(connection)) return [namespace]
  return namespaces.filter((each) => {
    const other = connections[each]
    return isConnected(other) && other.connectorId === connection.connectorId
  })
}
