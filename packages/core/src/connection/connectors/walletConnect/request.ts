import type { WalletConnectSession } from '@latchkey/walletconnect'
import { isError, LatchkeyError, type Namespace, parseChainId } from '@latchkey/wire'
import { namespaceMetadata } from '../../../namespaces/namespaceMetadata.ts'
import type { ChainRequest, SessionAccess } from '../../../namespaces/requestHandlers.ts'
import { checkBounds } from '../checkBounds.ts'
import { toWalletError } from '../walletError.ts'
import { currentSession, type WalletConnectContext } from './context.ts'
import { getHost } from './pairings.ts'
import {
  getApprovedMethods,
  getChainMethods,
  getNamespaceMethods,
  getSessionAccounts,
} from './session/sessionAccounts.ts'
import { getNamespaceResult, selectChain } from './session/sessionEvents.ts'
import { withRelayTimeout } from './withRelayTimeout.ts'

/**
 * Handles a request on a chain: by its namespace's rules, by the wallet if its session has the
 * method, else by the network's public node. Throws NOT_CONNECTED, NO_RPC_URL, RELAY_UNREACHABLE
 * and the wallet's errors.
 */
export async function requestFromSession(
  context: WalletConnectContext,
  request: ChainRequest,
): Promise<unknown> {
  if (!currentSession(context)) throw new LatchkeyError('NOT_CONNECTED')
  const { namespace } = parseChainId(request.chainId)
  if (!context.parameters.networks().some(({ chainNamespace }) => chainNamespace === namespace))
    throw new LatchkeyError('NAMESPACE_NOT_CONFIGURED', { data: { namespace } })
  const rules = (await namespaceMetadata[namespace].loadRequestHandlers?.())?.walletConnect ?? {}
  const session = currentSession(context)
  if (!session) throw new LatchkeyError('NOT_CONNECTED')
  const answer = Object.hasOwn(rules, request.method) ? rules[request.method] : undefined
  if (answer) return answer(toSessionAccess(context, { session, namespace }), request)
  return requestWalletOrNode(context, { session, request })
}

/** The session access that the rules of a namespace may use. */
function toSessionAccess(
  context: WalletConnectContext,
  { session, namespace }: { session: WalletConnectSession; namespace: Namespace },
): SessionAccess {
  const { dapp, sessionStore, parameters } = context
  const { environment, signal, node, bundlerUrl } = parameters
  return {
    addresses: () =>
      getNamespaceResult(context, namespace)?.accounts.map(({ address }) => address) ?? [],
    chainId: () => getNamespaceResult(context, namespace)?.chainId,
    approvedChainIds: getSessionAccounts(session.namespaces)
      .filter((account) => account.namespace === namespace)
      .map(({ chainId }) => chainId),
    allows: (method, chainId) =>
      chainId
        ? getChainMethods(session.namespaces, chainId)?.methods.includes(method) === true
        : getNamespaceMethods(session.namespaces, namespace).includes(method),
    selectChain(chainId) {
      // The state after the wallet has answered.
      const stored = sessionStore.session()
      if (stored?.topic !== session.topic) throw new LatchkeyError('CONNECTION_CHANGED')
      selectChain(context, { stored, namespace, chainId })
    },
    sendRequest: (request) => sendRequest(context, { session, request }),
    requestWalletOrNode: (request) => requestWalletOrNode(context, { session, request }),
    sessionProperties: session.sessionProperties,
    scopedProperties: session.scopedProperties,
    addProperty(change) {
      const { sessionProperties = {} } = currentSession(context) ?? session
      const properties = { ...sessionProperties, ...change(sessionProperties) }
      dapp.setSessionProperties(session.topic, properties)
    },
    getCalls: sessionStore.calls,
    addCalls: sessionStore.addCalls,
    bundlerUrl,
    node,
    fetch: environment.fetch,
    now: environment.now,
    signal,
  }
}

type SessionRequest = { session: WalletConnectSession; request: ChainRequest }

async function requestWalletOrNode(
  context: WalletConnectContext,
  { session, request }: SessionRequest,
) {
  const { chainId, method, params } = request
  if (getApprovedMethods(session.namespaces, chainId).includes(method))
    return sendRequest(context, { session, request })
  const node = await context.parameters.node(chainId)
  return node(method, params)
}

/**
 * Sends a request to the wallet. Throws RELAY_UNREACHABLE if the relay has not received it within
 * 15 s.
 */
async function sendRequest(context: WalletConnectContext, { session, request }: SessionRequest) {
  const { dapp, parameters } = context
  const { topic } = session
  const { chainId, method, params = [] } = request
  checkBounds(params)
  const wireChainId = getChainMethods(session.namespaces, chainId)?.wireChainId ?? chainId
  let isSent = false
  const stop = dapp.on('session_request_sent', (sent) => {
    if (sent.topic === topic && sent.method === method && sent.chainId === wireChainId)
      isSent = true
  })
  try {
    return await withRelayTimeout({
      host: getHost(session.relayUrl),
      sleep: parameters.environment.sleep,
      isLost: () => !isSent,
      work: (signal) => dapp.request({ topic, chainId: wireChainId, method, params, signal }),
    })
  } catch (error) {
    throw isError(error, 'WALLET_ERROR') ? toWalletError(error.cause ?? error, method) : error
  } finally {
    stop()
  }
}
