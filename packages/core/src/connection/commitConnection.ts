import { type Namespace, namespaces, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { activeNetwork, isConnected, listConnections, type State } from '../state.ts'
import { beginAttempt } from './connectionAttempt.ts'
import type { ConnectResult } from './connectors/connector.ts'
import { countConnection } from './countConnection.ts'
import { endConnection } from './further/endConnection.ts'
import { findConnection, setFurther } from './further/furtherConnections.ts'
import { findFormer } from './further/putInUse.ts'
import { getLeftConnectors, setConnection } from './setConnection.ts'

/** The origin of a connection. */
type Establishment = {
  connectorId: string
  /** The wallet's result, with `others` in further namespaces. */
  result: ConnectResult
  /**
   * `approved`: the user has just approved, so an earlier disconnect no longer counts, the result
   * is complete, and the wallet that was in use stays connected. `silent`: found again without a
   * prompt; a connector that the user has disconnected stays disconnected. `otherTab`: the same,
   * and the other tab has saved it already.
   */
  origin: 'approved' | 'silent' | 'otherTab'
  /** Namespaces to connect. Default: all namespaces of the result. */
  into?: readonly Namespace[]
  /**
   * Whether to select the result's chain even while a wallet in another namespace has the selected
   * chain.
   */
  selects?: boolean
}

/**
 * The only way to become connected. Connect requests, late sessions, logins, reconnected wallets
 * and other tabs' connections all end here, with a connection per namespace. Returns whether it
 * connected.
 */
export function commitConnection(app: App, establishment: Establishment): boolean {
  const { connectorId, origin, into = namespaces, selects = false } = establishment
  const results = getResults(establishment.result)
  if (origin === 'approved') {
    removeLeftMark(app, connectorId)
    endMissing(app, { connectorId, results })
  } else if (getLeftConnectors(app).includes(connectorId)) return false
  const taken = results.filter((result) => into.includes(getNamespace(result)))
  const selected = selects ? taken[0] : getSelected(app, taken)
  for (const result of taken) {
    const place = { connectorId, namespace: getNamespace(result) }
    const former = findFormer(app, place, { onlySaved: origin !== 'approved' })
    beginAttempt(app, place.namespace)
    setConnection(app, {
      connectorId,
      result,
      isSelected: result === selected,
      isSaved: origin !== 'otherTab',
      former,
    })
  }
  return taken.length > 0
}

/** Removes the mark that an earlier disconnect left. */
function removeLeftMark(app: App, connectorId: string) {
  const left = getLeftConnectors(app)
  if (left.includes(connectorId))
    app.storage.set(
      'disconnected',
      left.filter((id) => id !== connectorId),
    )
}

/** Disconnects the namespaces that the connector had and the new result does not include. */
function endMissing(
  app: App,
  { connectorId, results }: { connectorId: string; results: readonly ConnectResult[] },
) {
  for (const namespace of namespaces) {
    const place = { connectorId, namespace }
    if (results.some((result) => getNamespace(result) === namespace)) continue
    if (findConnection(app.store.getState(), place)) endConnection(app, place)
  }
}

/**
 * The result whose network to select: the result in the active namespace, or the first if no wallet
 * is connected there.
 */
function getSelected(app: App, taken: readonly ConnectResult[]): ConnectResult | undefined {
  const state = app.store.getState()
  const active = activeNetwork(state).chainNamespace
  const same = taken.find((result) => getNamespace(result) === active)
  return same ?? (isConnected(state.connections[active]) ? undefined : taken[0])
}

/**
 * Connects the result of a session in each namespace that has no other wallet in use and no pending
 * connect. A connection of the session that is not in use stays so. Counts a new session, for
 * example on a phone whose page was in the background. Ends a session that this page requested if
 * no namespace can use it.
 */
export function followSession(
  app: App,
  parameters: { connectorId: string; result: ConnectResult; isOwn: boolean },
): void {
  const { connectorId, result, isOwn } = parameters
  const state = app.store.getState()
  const { connections } = state
  const results = getResults(result)
  endMissing(app, { connectorId, results })
  for (const one of results) setFurther(app, { connectorId, result: one })
  const into = results.map(getNamespace).filter((namespace) => {
    const connection = connections[namespace]
    if (connection.status === 'connecting') return false
    return connection.status === 'disconnected' || connection.connectorId === connectorId
  })
  // A change of the session in use does not make it new. Among several tabs, the visible tab counts
  // it.
  const isNew = listConnections(state).every((one) => one.connectorId !== connectorId)
  const isSeen = isOwn || app.environment.page?.document.visibilityState !== 'hidden'
  if (into.length > 0) {
    commitConnection(app, { connectorId, result, origin: 'approved', into })
    if (isNew && isSeen) countConnection(app, connectorId)
  } else if (isOwn && !results.some((one) => findAt(state, { connectorId, result: one })))
    app.connectors
      .get(connectorId)
      ?.disconnect()
      .catch(() => {})
}

const findAt = (
  state: State,
  { connectorId, result }: { connectorId: string; result: ConnectResult },
) => findConnection(state, { connectorId, namespace: getNamespace(result) })

const getNamespace = ({ chainId }: ConnectResult): Namespace => parseChainId(chainId).namespace

/** The results of a connection, a separate result for each namespace. */
export const getResults = (result: ConnectResult): readonly ConnectResult[] => {
  const { others = [], ...first } = result
  return [first, ...others]
}
