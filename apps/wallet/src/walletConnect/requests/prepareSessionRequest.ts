import {
  approvedOn,
  type PendingRequest,
  protocolError,
  type WalletConnectSession,
} from '@latchkey/walletconnect'
import { LatchkeyError } from '@latchkey/wire'
import { accounts } from '../../accounts.ts'
import { answerCapabilities } from '../../batch/answerCapabilities.ts'
import { prepareBatch } from '../../batch/prepareBatch.ts'
import { answerStatus } from '../../batch/readBatch.ts'
import { getBitcoinAddresses } from '../../bitcoin/accounts.ts'
import type { Config } from '../../config.ts'
import type { WalletResult } from '../../extension/protocol.ts'
import { prepareRequest } from '../../requests/prepareRequest.ts'
import type { PreparedRequest } from '../../requests/walletRequest.ts'
import type { State } from '../../state.ts'
import { findChainId } from '../capabilities.ts'
import { findNetwork, type WalletNetwork } from '../networks.ts'
import {
  findAddressIndex,
  getChainIds,
  getScope,
  getSelection,
  indexesOn,
} from '../sessions/sessionScope.ts'

export type SessionRequest = {
  session: WalletConnectSession
  request: PendingRequest
  config: Config
  state: State
  switchTo(chainId: number): Promise<void>
}

/**
 * Prepares a session's request for display, or returns the response if it needs no approval.
 * Methods and networks outside the session get the protocol's errors. Throws LatchkeyError.
 */
export async function prepareSessionRequest(
  ask: SessionRequest,
): Promise<PreparedRequest | WalletResult> {
  const { session, request, config, switchTo } = ask
  const { method, params, chainId: chain } = request
  const approved = approvedOn(session.namespaces, chain)
  if (approved.accounts.length === 0) return { error: protocolError('UNAUTHORIZED_CHAIN') }
  if (!approved.methods.includes(method)) return { error: protocolError('UNAUTHORIZED_METHOD') }
  const network = findNetwork(config, chain)
  if (!network) return { error: protocolError('UNSUPPORTED_CHAINS') }
  const chainId = findChainId(config, chain)
  if (chainId === undefined) return prepareNonEvm(ask, network)

  const used = getSelection(session, config, ask.state)
  const own = indexesOn(session, chain, config)
  switch (method) {
    case 'eth_accounts':
    case 'eth_requestAccounts':
      return { result: own.map((index) => accounts[index]) }
    case 'eth_chainId':
      return { result: `0x${chainId.toString(16)}` }
    case 'wallet_getCapabilities':
      return answerCapabilities({
        params,
        accounts: getScope(session, config).indexes.flatMap((index) => accounts[index] ?? []),
        chainIds: getChainIds(session, config),
        sendsAtomically: ask.state.sendsAtomically,
      })
    case 'wallet_getCallsStatus':
      return answerStatus({ params, config, topic: session.topic })
  }
  const isSwitch = method === 'wallet_switchEthereumChain' || method === 'wallet_addEthereumChain'
  const named = addressIn(method, params)
  const account = named === undefined ? used.account : findAddressIndex(named)
  if (account === undefined || (!isSwitch && !own.includes(account)))
    throw new LatchkeyError('UNAUTHORIZED')
  // `prepareRequest` expects a connected site, so the session is passed as one.
  const state = {
    ...ask.state,
    account,
    chainId: isSwitch ? used.chainId : chainId,
    sites: { [session.topic]: { sinceMs: 0 } },
  }
  const one = { origin: session.topic, call: { method, params }, config, state, switchTo }
  return method === 'wallet_sendCalls' ? prepareBatch(one, request.id) : prepareRequest(one)
}

/** Like {@link prepareSessionRequest}, for networks of other namespaces than `eip155`. */
async function prepareNonEvm(
  { session, request, config, state, switchTo }: SessionRequest,
  { id, accounts: addresses }: WalletNetwork,
): Promise<PreparedRequest | WalletResult> {
  const { method, params } = request
  const own = indexesOn(session, id, config)
  if (method === 'solana_getAccounts' || method === 'solana_requestAccounts')
    return { result: own.map((index) => ({ pubkey: addresses[index] })) }
  const {
    pubkey,
    address = pubkey,
    account: named = address,
  } = (params ?? {}) as Record<string, unknown>
  const { account: used } = getSelection(session, config, state)
  const account = named === undefined ? used : findAddressIndex(named, addresses)
  if (account === undefined || !own.includes(account)) throw new LatchkeyError('UNAUTHORIZED')
  if (method === 'getAccountAddresses') return { result: getBitcoinAddresses(account) }
  const connected = { [session.topic]: { sinceMs: 0 } }
  return prepareRequest({
    origin: session.topic,
    call: { method, params },
    config,
    // As above: the session is passed as a connected site.
    state: {
      ...state,
      account,
      solanaSites: connected,
      polkadotSites: connected,
      bitcoinSites: connected,
    },
    switchTo,
  })
}

/** The address that should sign a request, if it names one. */
function addressIn(method: string, params: unknown): unknown {
  const [first, second] = Array.isArray(params) ? (params as unknown[]) : []
  if (method === 'personal_sign') return second ?? ''
  if (method === 'eth_signTypedData_v4') return first ?? ''
  if (method === 'eth_sendTransaction') return getSender(first) ?? ''
  if (method === 'wallet_sendCalls') return getSender(first)
  return undefined
}

const getSender = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'from' in value ? value.from : undefined
