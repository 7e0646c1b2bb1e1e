import { type Namespace, namespaces, parseChainId } from '@latchkey/wire'
import type { App } from '../app.ts'
import { activeNetwork, isConnected } from '../state.ts'
import { beginAttempt } from './connectionAttempt.ts'
import type { ConnectResult } from './connectors/connector.ts'
import { adopt, forget, getLeftConnectors, setDisconnected } from './setConnection.ts'

/**
 * Adopts all that one approval allows, one connection a namespace, or those of `into`. The selected network stays in its
 * namespace while that is connected. Namespaces that the connector had and the approval has not are disconnected.
 */
export function adoptSession(
  app: App,
  parameters: { connectorId: string; result: ConnectResult; into?: readonly Namespace[] },
): void {
  const { connectorId, into = namespaces } = parameters
  const results = resultsOf(parameters.result)
  for (const namespace of namespaces) {
    const connection = app.store.getState().connections[namespace]
    if (results.some((result) => namespaceOf(result) === namespace)) continue
    if (!isConnected(connection) || connection.connectorId !== connectorId) continue
    beginAttempt(app, namespace)
    setDisconnected(app, namespace)
    forget(app, namespace)
  }
  const adopted = results.filter((result) => into.includes(namespaceOf(result)))
  const selected = selectedOf(app, adopted)
  for (const result of adopted) {
    beginAttempt(app, namespaceOf(result))
    adopt(app, { connectorId, result, isSelected: result === selected })
  }
  welcome(app, connectorId)
}

/** The result whose network is selected: that of the present namespace, else the first when nothing stands there. */
function selectedOf(app: App, adopted: readonly ConnectResult[]): ConnectResult | undefined {
  const state = app.store.getState()
  const active = activeNetwork(state).chainNamespace
  const same = adopted.find((result) => namespaceOf(result) === active)
  return same ?? (isConnected(state.connections[active]) ? undefined : adopted[0])
}

/** Takes the mark of an earlier disconnect away. */
export function welcome(app: App, connectorId: string): void {
  const left = getLeftConnectors(app)
  if (left.includes(connectorId))
    app.storage.set(
      'disconnected',
      left.filter((id) => id !== connectorId),
    )
}

/**
 * Takes over what a session allows, wherever no other wallet stands and nothing is being connected. A session that this
 * page asked for and that has no place is ended.
 */
export function followSession(
  app: App,
  parameters: { connectorId: string; result: ConnectResult; isOwn: boolean },
): void {
  const { connectorId, result, isOwn } = parameters
  const { connections } = app.store.getState()
  const into = resultsOf(result)
    .map(namespaceOf)
    .filter((namespace) => {
      const connection = connections[namespace]
      if (connection.status === 'connecting') return false
      return connection.status === 'disconnected' || connection.connectorId === connectorId
    })
  if (into.length > 0) adoptSession(app, { connectorId, result, into })
  else if (isOwn)
    app.connectors
      .get(connectorId)
      ?.disconnect()
      .catch(() => {})
}

const namespaceOf = ({ chainId }: ConnectResult): Namespace => parseChainId(chainId).namespace

const resultsOf = (result: ConnectResult): readonly ConnectResult[] => {
  const { others = [], ...first } = result
  return [first, ...others]
}
