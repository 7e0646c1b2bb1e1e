import type { Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import { activeNetwork } from '../../state.ts'
import { getLeftConnectors } from '../setConnection.ts'
import { putInUse } from './putInUse.ts'

/**
 * Puts the connected wallet in use that was used before in a namespace, except a wallet that the
 * user has disconnected. Returns whether there is one.
 */
export function putNextInUse(app: App, namespace: Namespace): boolean {
  const state = app.store.getState()
  const left = getLeftConnectors(app)
  const next = state.furtherConnections.find(
    ({ status, account, connectorId }) =>
      status === 'connected' && account.namespace === namespace && !left.includes(connectorId),
  )
  if (!next) return false
  const isSelected = activeNetwork(state).chainNamespace === namespace
  putInUse(app, { connection: next, isSelected })
  return true
}
