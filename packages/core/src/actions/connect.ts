import { type ChainId, LatchkeyError, type Namespace, parseChainId, toError } from '@latchkey/wire'
import { abortable } from '../connectors/abortable.ts'
import type { Connector, ConnectResult } from '../connectors/connector.ts'
import type { LinkedWallet } from '../connectors/walletLinks.ts'
import type { App } from '../createApp.ts'
import { type Connected, type Connection, isConnected } from '../state.ts'
import { adopt, setDisconnected } from './adopt.ts'
import { rpcUrlOf } from './rpcUrlOf.ts'
import { beginTurn } from './turn.ts'
import { watchAccount } from './watchAccount.ts'

/**
 * Asks a wallet to connect. With a `chainId` the wallet is asked to go there too; where it will not, the connection
 * stands on the wallet's own network. Throws CONNECTOR_NOT_FOUND, USER_REJECTED, REQUEST_PENDING, WALLET_ANSWER_INVALID,
 * and ABORTED when cancelled, disconnected or overtaken by another connect. An earlier connection comes back then.
 */
export async function connect(
  app: App,
  parameters: {
    connectorId: string
    chainId?: ChainId
    /** The directory's wallet that the visitor chose; for the connector `walletConnect`. */
    wallet?: LinkedWallet
    signal?: AbortSignal
  },
): Promise<Connected> {
  const { connectorId, chainId } = parameters
  const connector = app.connectors.get(connectorId)
  if (!connector) throw new LatchkeyError('CONNECTOR_NOT_FOUND')
  watchAccount(app)
  const [namespace] = connector.info.namespaces
  keepPrevious(app, namespace)
  const turn = beginTurn(app, namespace)
  const signal = parameters.signal ? AbortSignal.any([turn.signal, parameters.signal]) : turn.signal
  write(app, namespace, { status: 'connecting', connectorId })
  try {
    const onUri = (uri: string, expiresAtMs: number) => {
      if (turn.isCurrent())
        write(app, namespace, { status: 'connecting', connectorId, uri, expiresAtMs })
    }
    const asked = connector.connect({ ...(chainId && { chainId }), signal, onUri })
    const result = await abortable(asked, signal)
    const settled = await abortable(onChain(app, { connector, result, chainId }), signal)
    if (!turn.isCurrent()) throw new LatchkeyError('ABORTED')
    welcome(app, connectorId)
    adopt(app, { connectorId, result: settled })
    return app.store.getState().connections[namespace] as Connected
  } catch (error) {
    if (turn.isCurrent()) void fallBack(app, namespace)
    throw toError(error)
  }
}

const write = (app: App, namespace: Namespace, connection: Connection) =>
  app.store.setState(({ connections }) => ({
    connections: { ...connections, [namespace]: connection },
  }))

/** The result on the network that was asked for, where the wallet goes along. */
async function onChain(
  app: App,
  parameters: { connector: Connector; result: ConnectResult; chainId: ChainId | undefined },
): Promise<ConnectResult> {
  const { connector, result, chainId } = parameters
  if (!chainId || chainId === result.chainId) return result
  const network = app.store.getState().networks.find((entry) => entry.caipNetworkId === chainId)
  if (!network) return result
  try {
    const chain = await app.chain(parseChainId(chainId).namespace)
    await chain.switchTo?.({
      wallet: (method, params) => connector.request(chainId, method, params),
      network,
      rpcUrl: rpcUrlOf(app, network),
    })
    return { ...result, chainId }
  } catch {
    return result
  }
}

/** Takes the mark of an earlier disconnect away. */
function welcome(app: App, connectorId: string) {
  const left = app.storage.get('disconnected')
  if (left)
    app.storage.set(
      'disconnected',
      left.filter((id) => id !== connectorId),
    )
}

/** Keeps what to come back to; a connecting that is overtaken by another one is nothing to come back to. */
function keepPrevious(app: App, namespace: Namespace) {
  const connection = app.store.getState().connections[namespace]
  if (isConnected(connection)) app.work.before[namespace] = connection
  else if (connection.status === 'disconnected') delete app.work.before[namespace]
}

/** Puts an earlier connection back, as its wallet stands now. */
async function fallBack(app: App, namespace: Namespace) {
  const previous = app.work.before[namespace]
  if (!previous) return setDisconnected(app, namespace)
  const { connectorId } = previous
  const turn = beginTurn(app, namespace)
  write(app, namespace, { ...previous, status: 'reconnecting' })
  const connector = app.connectors.get(connectorId)
  const result = await connector?.authorized({ namespace }).catch(() => undefined)
  if (!turn.isCurrent()) return
  if (result) adopt(app, { connectorId, result })
  else setDisconnected(app, namespace)
}
