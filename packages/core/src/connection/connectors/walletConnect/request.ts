import type { Session } from '@latchkey/walletconnect'
import { type ChainId, isChainId, isError, LatchkeyError, parseChainId } from '@latchkey/wire'
import {
  checkCalls,
  parseCallsAnswer,
  readCallsStatus,
  readOperationStatus,
} from '../../../namespaces/eip155/walletConnect/calls.ts'
import {
  capabilityKey,
  knownCapabilities,
  parseCapabilitiesRequest,
} from '../../../namespaces/eip155/walletConnect/capabilities.ts'
import { toWalletError } from '../walletError.ts'
import { currentSession, type WalletConnectContext } from './context.ts'
import { getHost } from './offers.ts'
import { getChainMethods, getNamespaceMethods, getSessionAccounts } from './sessionAccounts.ts'
import { getNamespaceResult, selectChain } from './sessionEvents.ts'
import { withRelayTimeout } from './withRelayTimeout.ts'

type Question = { chainId: ChainId; method: string; params: readonly unknown[] | object }

/**
 * A request on a chain: answered here, by the wallet when its session has the method, else by the network's public node
 * (walletconnect.md §4). Throws NOT_CONNECTED, NO_RPC_URL, RELAY_UNREACHABLE and what the wallet answers.
 */
export async function requestFromWallet(
  context: WalletConnectContext,
  question: Question,
): Promise<unknown> {
  const session = currentSession(context)
  if (!session) throw new LatchkeyError('NOT_CONNECTED')
  const { namespace } = parseChainId(question.chainId)
  if (!context.parameters.networks().some(({ chainNamespace }) => chainNamespace === namespace))
    throw new LatchkeyError('NAMESPACE_NOT_CONFIGURED', { data: { namespace } })
  const asEvm = namespace === 'eip155' ? evm[question.method] : undefined
  if (asEvm) return asEvm(context, session, question)
  return askWalletOrNode(context, session, question)
}

type Answer = (
  context: WalletConnectContext,
  session: Session,
  question: Question,
) => Promise<unknown>

const accounts: Answer = async (context) =>
  getNamespaceResult(context, 'eip155')?.accounts.map(({ address }) => address) ?? []

/** What is not simply passed on. */
const evm: Readonly<Partial<Record<string, Answer>>> = {
  eth_accounts: accounts,
  eth_requestAccounts: accounts,
  eth_chainId: async (context) => {
    const { chainId } = getNamespaceResult(context, 'eip155') ?? {}
    return chainId && hexOf(chainId)
  },
  wallet_switchEthereumChain: switchChain,
  wallet_getCapabilities: getCapabilities,
  wallet_sendCalls: sendCalls,
  wallet_getCallsStatus: getCallsStatus,
}

const hexOf = (chainId: ChainId) => `0x${Number(parseChainId(chainId).reference).toString(16)}`

async function askWalletOrNode(
  context: WalletConnectContext,
  session: Session,
  question: Question,
) {
  const { chainId, method, params } = question
  const { namespace } = parseChainId(chainId)
  // On a chain that the wallet went to beyond its session its methods are still its own.
  const methods =
    getChainMethods(session.namespaces, chainId)?.methods ??
    getNamespaceMethods(session.namespaces, namespace)
  if (methods.includes(method)) return askWallet(context, session, question)
  const node = await context.parameters.node(chainId)
  return node(method, params)
}

/** Asks the wallet. Without a relay for 15 s before it has the request, RELAY_UNREACHABLE is thrown. */
async function askWallet(context: WalletConnectContext, session: Session, question: Question) {
  const { dapp, parameters } = context
  const { topic } = session
  const { chainId, method, params } = question
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

/** An approved chain becomes the default here; any other needs a wallet that can be asked to switch. */
async function switchChain(context: WalletConnectContext, session: Session, question: Question) {
  const [first] = Array.isArray(question.params) ? (question.params as unknown[]) : []
  const asked = (first as { chainId?: unknown } | null | undefined)?.chainId
  const id = typeof asked === 'string' || typeof asked === 'number' ? `eip155:${Number(asked)}` : ''
  if (!isChainId(id)) throw new LatchkeyError('INVALID_CHAIN_ID')
  const approved = getSessionAccounts(session.namespaces).filter((a) => a.namespace === 'eip155')
  if (!approved.some(({ chainId }) => chainId === id)) {
    const chainId = approved[0]?.chainId
    const mayAsk = getNamespaceMethods(session.namespaces, 'eip155').includes(question.method)
    if (!chainId || !mayAsk)
      throw new LatchkeyError('CHAIN_NOT_SWITCHED', { data: { chainId: id } })
    await askWallet(context, session, { ...question, chainId })
  }
  // As it stands after the wallet has answered.
  const kept = context.sessionStore.session()
  if (kept?.topic !== session.topic) throw new LatchkeyError('CONNECTION_CHANGED')
  selectChain(context, { kept, namespace: 'eip155', chainId: id })
  return null
}

async function getCapabilities(
  context: WalletConnectContext,
  session: Session,
  question: Question,
) {
  const asked = parseCapabilitiesRequest(question.params)
  const chains = getSessionAccounts(session.namespaces)
    .filter(({ namespace }) => namespace === 'eip155')
    .map(({ chainId }) => chainId)
    .filter((id) => asked.chainIds.length === 0 || asked.chainIds.some((hex) => isSame(hex, id)))
  const known = knownCapabilities(session, { question: asked, chainIds: [...new Set(chains)] })
  if (known !== undefined) return known
  const answer = await askWalletOrNode(context, session, question)
  const { sessionProperties = {} } = currentSession(context) ?? session
  const before = sessionProperties.capabilities
  const capabilities = {
    ...(typeof before === 'object' && before),
    [capabilityKey(asked)]: answer,
  }
  context.dapp.setSessionProperties(session.topic, { ...sessionProperties, capabilities })
  return answer
}

const isSame = (hex: string, chainId: ChainId) =>
  Number(hex) === Number(parseChainId(chainId).reference)

async function sendCalls(context: WalletConnectContext, session: Session, question: Question) {
  checkCalls(question.params)
  const answer = await askWalletOrNode(context, session, question)
  const found = parseCallsAnswer(answer, context.parameters.environment.now())
  if (found) context.sessionStore.addCalls(...found)
  return answer
}

/** A bundler that the session names, then a batch sent here, then the wallet (walletconnect.md §4). */
async function getCallsStatus(context: WalletConnectContext, session: Session, question: Question) {
  const { chainId, params } = question
  const { environment, signal, node } = context.parameters
  const [id] = Array.isArray(params) ? (params as unknown[]) : []
  if (typeof id !== 'string')
    throw new LatchkeyError('INVALID_PARAMS', {
      data: { reason: 'the id of the calls is missing' },
    })
  const url = bundlerUrl(context, session, chainId)
  if (url) return readOperationStatus({ id, chainId, url, fetch: environment.fetch, signal })
  const calls = context.sessionStore.calls(id)
  if (calls) return readCallsStatus({ id, calls, node: await node(calls.chainId) })
  if (getChainMethods(session.namespaces, chainId)?.methods.includes(question.method))
    return askWallet(context, session, question)
  throw new LatchkeyError('CALL_STATUS_NOT_APPROVED')
}

function bundlerUrl(
  { parameters }: WalletConnectContext,
  session: Session,
  chainId: ChainId,
): string | undefined {
  const { bundler_name: name, bundler_url: url } = session.sessionProperties ?? {}
  if (typeof name === 'string') return parameters.bundlerUrl(chainId, name)
  const isSafe = typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === 'https:'
  return isSafe ? url : undefined
}
