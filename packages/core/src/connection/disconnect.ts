import { LatchkeyError, type Namespace, namespaces } from '@latchkey/wire'
import { countEvent } from '../analytics/countEvent.ts'
import type { App } from '../app.ts'
import { selectConnectedNamespace } from '../network/selectNamespace.ts'
import { type Connected, listConnections } from '../state.ts'
import { beginAttempt } from './connectionAttempt.ts'
import { endConnection } from './further/endConnection.ts'
import { getWalletNamespace } from './further/furtherConnections.ts'
import { forget, getLeftConnectors, setDisconnected } from './setConnection.ts'

/**
 * Ends all connections, or only in a namespace, or only with a wallet; the connections of a wallet
 * end together, because they share a session. If the only wallet to end was in use, the wallet that
 * was used before takes its place. Without a `connectorId`, cancels a pending connect. The page is
 * disconnected in any case, also at the next visit. Throws DISCONNECT_FAILED, or
 * DISCONNECT_CHAIN_FAILED for a single namespace, if the wallet could not be notified.
 */
export async function disconnect(
  app: App,
  parameters: { namespace?: Namespace; connectorId?: string } = {},
): Promise<void> {
  const { namespace, connectorId } = parameters
  const formers = findFormers(app)
  const all = [...formers, ...listConnections(app.store.getState())]
  const meant = all.filter(
    (one) =>
      (!namespace || one.account.namespace === namespace) &&
      (!connectorId || one.connectorId === connectorId),
  )
  const ids = new Set(meant.map((one) => one.connectorId))
  const canceled = connectorId ? [] : cancelAttempts(app, namespace)
  // Withdraw a pairing that is still open.
  for (const id of canceled) if (app.runtime.awaited.has(id)) ids.add(id)
  // Save the mark first: another tab that finds the connection missing must see that it was ended
  // on purpose.
  app.storage.set('disconnected', [...new Set([...getLeftConnectors(app), ...ids])])
  const ended = all.filter((one) => ids.has(one.connectorId))
  for (const former of formers) if (ended.includes(former)) release(app, former)
  // Those in use last: none of the others may take their place.
  for (const one of ended.reverse()) endConnection(app, getWalletNamespace(one))
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

/** The connections that are restored if a pending connect fails. */
const findFormers = ({ runtime, store }: App): Connected[] =>
  namespaces.flatMap((namespace) => {
    const former = runtime.before[namespace]
    return former && store.getState().connections[namespace].status === 'connecting' ? former : []
  })

/**
 * Lists such a connection among the wallets that are not in use, so that it is ended like any of
 * them.
 */
function release(app: App, former: Connected) {
  const { namespace } = former.account
  delete app.runtime.before[namespace]
  if (app.storage.get('connections')?.[namespace]?.connectorId === former.connectorId)
    forget(app, namespace)
  app.store.setState(({ furtherConnections }) => ({
    furtherConnections: [...furtherConnections, former],
  }))
}

/**
 * Cancels the pending connects and reconnects of a namespace, or of all. Returns the connectors of
 * those connects.
 */
function cancelAttempts(app: App, namespace: Namespace | undefined): string[] {
  return namespaces.flatMap((each) => {
    if (namespace && each !== namespace) return []
    const connection = app.store.getState().connections[each]
    beginAttempt(app, each)
    if (connection.status !== 'connecting') return []
    setDisconnected(app, each)
    forget(app, each)
    return connection.connectorId
  })
}
