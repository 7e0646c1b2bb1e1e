import type { App } from '../../app.ts'
import { commitConnection } from '../commitConnection.ts'
import { getLeftConnectors } from '../setConnection.ts'
import { endConnection } from './endConnection.ts'
import {
  findConnection,
  getWalletNamespace,
  isInUse,
  markUnreached,
  setFurther,
  type WalletNamespace,
} from './furtherConnections.ts'
import { readAuthorized, waitForAny, waitForConnector } from './waitForConnector.ts'

/**
 * Confirms the connections that are not in use and that no wallet has confirmed yet: reads the
 * accounts that the wallets allow, without a prompt. A wallet that cannot be reached stays in the
 * list. So does a wallet in the browser that allows none, because it may be locked. A session or
 * login that has ended is dropped.
 */
export async function confirmFurther(app: App): Promise<void> {
  const { furtherConnections } = app.store.getState()
  const unconfirmed = furtherConnections.filter(({ status }) => status === 'reconnecting')
  await Promise.all(unconfirmed.map((one) => confirm(app, getWalletNamespace(one))))
}

/** Confirms a connection that is not in use, unless it changes meanwhile. */
export async function confirm(app: App, place: WalletNamespace): Promise<void> {
  const { connectorId, namespace } = place
  const connector = await waitForConnector(app, connectorId)
  if (app.signal.aborted) return
  if (!connector) {
    markUnreached(app, place)
    return void waitForAny(app, [connectorId], app.signal).then(() => confirm(app, place))
  }
  const before = findConnection(app.store.getState(), place)
  if (!before) return
  if (!connector.info.namespaces.includes(namespace)) return endConnection(app, place)
  try {
    const result = await readAuthorized(connector, namespace)
    const state = app.store.getState()
    // The wallet's events, the user or another tab were faster.
    const isChanged = findConnection(state, place) !== before || isInUse(state, place)
    if (isChanged || app.signal.aborted) return
    const { approvesLate, hasLogin } = connector.info.traits ?? {}
    const hasEnded = !result && (approvesLate || hasLogin)
    if (hasEnded || getLeftConnectors(app).includes(connectorId)) return endConnection(app, place)
    if (!result) return markUnreached(app, place)
    if (state.connections[namespace].status !== 'disconnected')
      return setFurther(app, { connectorId, result })
    commitConnection(app, { connectorId, result, origin: 'silent', into: [namespace] })
  } catch (cause) {
    app.environment.warn(`Reconnecting to ${connectorId} failed`, cause)
    markUnreached(app, place)
  }
}
