import {
  anySignal,
  type ChainId,
  isAlert,
  LatchkeyError,
  type Namespace,
  parseChainId,
  toError,
} from '@latchkey/wire'
import { abortable } from '../abortable.ts'
import { countEvent } from '../analytics/countEvent.ts'
import type { App } from '../app.ts'
import type { LinkedWallet } from '../directory/walletLinks.ts'
import { showAlert } from '../modal/showError.ts'
import { getWalletRpcUrl } from '../network/rpcUrls.ts'
import { walletImageUrl } from '../server/imageUrl.ts'
import {
  type AccountChoice,
  activeNetwork,
  type Connected,
  type Connection,
  type PeerWallet,
} from '../state.ts'
import { commitConnection, followSession, getResults } from './commitConnection.ts'
import { type Attempt, beginAttempt } from './connectionAttempt.ts'
import type { Connector, ConnectResult } from './connectors/connector.ts'
import { countConnection } from './countConnection.ts'
import { createPairingCallbacks } from './createPairingCallbacks.ts'
import { confirmFurther } from './further/confirmFurther.ts'
import { fallBack, keepPrevious } from './further/fallBack.ts'
import { getLeftConnectors, setDisconnected } from './setConnection.ts'
import { watchAccount } from './watchAccount.ts'

/**
 * Connects a wallet and puts it in use; the wallet that was in use stays connected. With a
 * `chainId`, also requests a switch to that network; if the wallet refuses, the connection stays on
 * the wallet's current network. Throws CONNECTOR_NOT_FOUND, USER_REJECTED, REQUEST_PENDING,
 * WALLET_ANSWER_INVALID, RELAY_UNREACHABLE, the alerts of a relay that refuses, and ABORTED if
 * canceled, disconnected or superseded by another connect. On failure, the earlier connection is
 * restored.
 */
export async function connect(
  app: App,
  parameters: {
    connectorId: string
    chainId?: ChainId
    /** The directory wallet that the user chose; for the connector `walletConnect`. */
    wallet?: LinkedWallet
    /** The wallet's pending response, if the click has already sent the request. */
    response?: Promise<unknown> | undefined
    /**
     * Whether to select the wallet's network also while an account of another namespace is in use;
     * true by default.
     */
    selects?: boolean
    signal?: AbortSignal
  },
): Promise<Connected> {
  const { connectorId, chainId, wallet, response, selects = true } = parameters
  const connector = app.connectors.get(connectorId)
  if (!connector) throw new LatchkeyError('CONNECTOR_NOT_FOUND')
  // The wallet may approve after this page has stopped waiting.
  if (connector.info.traits?.approvesLate) app.runtime.awaited.add(connectorId)
  watchAccount(app)
  app.runtime.walletChoices += 1
  const namespace = namespaceFor(app, connector)
  keepPrevious(app, namespace)
  const attempt = beginAttempt(app, namespace)
  const signal = parameters.signal ? anySignal([attempt.signal, parameters.signal]) : attempt.signal
  const connecting = {
    status: 'connecting',
    connectorId,
    ...(wallet && { walletId: wallet.id }),
  } as const
  write(app, namespace, connecting)
  const showMore = (more: Partial<Extract<Connection, { status: 'connecting' }>>) => {
    if (attempt.isCurrent()) write(app, namespace, { ...connecting, ...more })
  }
  try {
    const question = {
      response,
      isAgain: getLeftConnectors(app).includes(connectorId),
      ...(chainId && { chainId }),
      ...(wallet && { wallet: toPeerWallet(app, wallet) }),
      signal,
      ...createPairingCallbacks(showMore),
      // The user can choose only in the modal.
      ...(app.store.getState().modal.open && {
        onChoice: (choice: AccountChoice) => showMore({ choice }),
      }),
    }
    if (connector.info.traits?.approvesLate)
      return await connectLate(app, {
        connector,
        question,
        attempt,
        namespace,
        left: parameters.signal,
      })
    const result = await abortable(connector.connect(question), signal)
    if (!attempt.isCurrent()) throw new LatchkeyError('ABORTED')
    const settled = await abortable(switchToRequested(app, { connector, result, chainId }), signal)
    if (!attempt.isCurrent()) throw new LatchkeyError('ABORTED')
    return finish(app, {
      connectorId,
      result: settled,
      namespace,
      selects: selects && !settled.others,
    })
  } catch (error) {
    if (attempt.isCurrent()) void fallBack(app, namespace)
    const known = toError(error)
    if (isAlert(known)) showAlert(app, known)
    if (known.code === 'INTERNAL')
      countEvent(app, { event: 'INTERNAL_SDK_ERROR', properties: { code: known.code } })
    throw known
  }
}

/**
 * The namespace to connect: the selected network's namespace if the connector supports it,
 * otherwise the connector's first.
 */
function namespaceFor(app: App, { info }: Connector): Namespace {
  const active = activeNetwork(app.store.getState()).chainNamespace
  return info.namespaces.includes(active) ? active : info.namespaces[0]
}

const toPeerWallet = (app: App, { id, name, image_id }: LinkedWallet): PeerWallet => ({
  name,
  walletId: id,
  iconUrl: walletImageUrl(app, image_id),
  imageId: image_id,
})

/**
 * Connects a wallet that may approve late. A session persists at the wallet, so a session that
 * arrives just as the user leaves is connected too.
 */
async function connectLate(
  app: App,
  parameters: {
    connector: Connector
    question: Parameters<Connector['connect']>[0]
    attempt: Attempt
    namespace: Namespace
    /** Aborted when the user leaves. */
    left: AbortSignal | undefined
  },
): Promise<Connected> {
  const { connector, question, attempt, namespace, left } = parameters
  const connectorId = connector.info.id
  const connecting = connector.connect(question)
  const follow = (result: ConnectResult) => followSession(app, { connectorId, result, isOwn: true })
  // At once, so that an approval that follows can connect.
  const leave = () => {
    if (attempt.isCurrent()) void fallBack(app, namespace)
  }
  left?.addEventListener('abort', leave)
  try {
    const result = await abortable(connecting, question.signal)
    if (attempt.isCurrent()) return finish(app, { connectorId, result, namespace })
    throw new LatchkeyError('ABORTED')
  } catch (error) {
    if (!app.signal.aborted) connecting.then(follow, () => {})
    throw error
  } finally {
    left?.removeEventListener('abort', leave)
  }
}

/**
 * Connects all approved namespaces. If they do not include the requested namespace, restores its
 * earlier connection.
 */
function finish(
  app: App,
  parameters: {
    connectorId: string
    result: ConnectResult
    namespace: Namespace
    selects?: boolean
  },
): Connected {
  const { connectorId, result, namespace, selects = false } = parameters
  const hasNamespace = getResults(result).some(({ chainId }) => chainId.startsWith(`${namespace}:`))
  if (!hasNamespace) setDisconnected(app, namespace)
  commitConnection(app, { connectorId, result, origin: 'approved', selects })
  countConnection(app, connectorId)
  void confirmFurther(app)
  if (!hasNamespace) void fallBack(app, namespace)
  const { connections } = app.store.getState()
  const connectedNamespace = hasNamespace ? namespace : parseChainId(result.chainId).namespace
  return connections[connectedNamespace] as Connected
}

const write = (app: App, namespace: Namespace, connection: Connection) =>
  app.store.setState(({ connections }) => ({
    connections: { ...connections, [namespace]: connection },
  }))

/**
 * Requests a switch to the requested network. Returns the result on that network, or the unchanged
 * result if the wallet refuses.
 */
async function switchToRequested(
  app: App,
  parameters: { connector: Connector; result: ConnectResult; chainId: ChainId | undefined },
): Promise<ConnectResult> {
  const { connector, result, chainId } = parameters
  if (!chainId || chainId === result.chainId) return result
  const network = app.store.getState().networks.find((entry) => entry.caipNetworkId === chainId)
  if (!network) return result
  try {
    const actions = await app.loadActions(parseChainId(chainId).namespace)
    await actions.switchTo?.({
      wallet: (method, params) => connector.request(chainId, method, params),
      network,
      rpcUrl: getWalletRpcUrl(app, network),
      selectChain: async (id) => connector.selectChain?.(id),
    })
    return { ...result, chainId }
  } catch {
    return result
  }
}
