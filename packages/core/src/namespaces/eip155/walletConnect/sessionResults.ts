import { type ChainId, canParseUrl, LatchkeyError } from '@latchkey/wire'
import type { ChainRequest, RequestHandlers, SessionAccess } from '../../requestHandlers.ts'
import { parseEvmChainId, toHexChainId } from '../chainId.ts'
import { parseCallsAnswer, readOperationStatus, readSessionCallsStatus } from './calls.ts'
import { capabilityKey, knownCapabilities, parseCapabilitiesRequest } from './capabilities.ts'

const accounts = async (session: SessionAccess) => session.addresses()

/** The requests that are not simply forwarded to the wallet or a node. */
export const sessionResults: RequestHandlers['walletConnect'] = {
  eth_accounts: accounts,
  eth_requestAccounts: accounts,
  async eth_chainId(session) {
    const chainId = session.chainId()
    return chainId && toHexChainId(chainId)
  },
  wallet_switchEthereumChain: switchChain,
  wallet_getCapabilities: getCapabilities,
  wallet_sendCalls: sendCalls,
  wallet_getCallsStatus: getCallsStatus,
}

/**
 * Makes an approved chain the default; for any other chain, sends the request to the wallet if it
 * supports switching.
 */
async function switchChain(session: SessionAccess, request: ChainRequest) {
  const [first] = toList(request.params)
  const id = parseEvmChainId((first as { chainId?: unknown } | null | undefined)?.chainId)
  if (!id) throw new LatchkeyError('INVALID_CHAIN_ID')
  if (!session.approvedChainIds.includes(id)) {
    const [chainId] = session.approvedChainIds
    if (!chainId || !session.allows(request.method))
      throw new LatchkeyError('CHAIN_NOT_SWITCHED', { data: { chainId: id } })
    await session.sendRequest({ ...request, chainId })
  }
  session.selectChain(id)
  return null
}

async function getCapabilities(session: SessionAccess, request: ChainRequest) {
  const question = parseCapabilitiesRequest(request.params)
  const isAsked = (id: ChainId) =>
    question.chainIds.length === 0 || question.chainIds.some((hex) => parseEvmChainId(hex) === id)
  const chainIds = [...new Set(session.approvedChainIds.filter(isAsked))]
  const known = knownCapabilities(session, { question, chainIds })
  if (known !== undefined) return known
  const answer = await session.requestWalletOrNode(request)
  session.addProperty(({ capabilities }) => ({
    capabilities: {
      ...(typeof capabilities === 'object' && capabilities),
      [capabilityKey(question)]: answer,
    },
  }))
  return answer
}

async function sendCalls(session: SessionAccess, request: ChainRequest) {
  const answer = await session.requestWalletOrNode(request)
  const found = parseCallsAnswer(answer, session.now())
  if (found) session.addCalls(...found)
  return answer
}

/**
 * Reads from a bundler that the session names, then from a batch sent here, then from the wallet.
 */
async function getCallsStatus(session: SessionAccess, request: ChainRequest) {
  const { chainId, method, params } = request
  const [id] = toList(params)
  if (typeof id !== 'string')
    throw new LatchkeyError('INVALID_PARAMS', {
      data: { reason: 'the id of the calls is missing' },
    })
  const { fetch, signal } = session
  const url = bundlerUrl(session, chainId)
  if (url) return readOperationStatus({ id, chainId, url, fetch, signal })
  const calls = session.getCalls(id)
  if (calls) return readSessionCallsStatus({ id, calls, node: await session.node(calls.chainId) })
  if (session.allows(method, chainId)) return session.sendRequest(request)
  throw new LatchkeyError('CALL_STATUS_NOT_APPROVED')
}

function bundlerUrl(session: SessionAccess, chainId: ChainId): string | undefined {
  const { bundler_name: name, bundler_url: url } = session.sessionProperties ?? {}
  if (typeof name === 'string') return session.bundlerUrl(chainId, name)
  const isSafe = typeof url === 'string' && canParseUrl(url) && new URL(url).protocol === 'https:'
  return isSafe ? url : undefined
}

const toList = (params: unknown): readonly unknown[] => (Array.isArray(params) ? params : [])
