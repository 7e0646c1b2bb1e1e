import { getRpcCode, isError, LatchkeyError, omitNulls } from '@latchkey/wire'
import { prepareBatch } from '../batch/prepareBatch.ts'
import type { WalletResult } from '../extension/protocol.ts'
import { connectSite, currentAccount, stateFor } from '../state.ts'
import { prepareChain } from './prepareChain.ts'
import { prepareMessage, prepareTypedData } from './prepareSignature.ts'
import { prepareToken } from './prepareToken.ts'
import { prepareTransaction } from './prepareTransaction.ts'
import { askingMethods, bitcoinMethods, connectMethods, signingMethods } from './walletMethods.ts'
import type { PreparedRequest, WalletRequest } from './walletRequest.ts'

/**
 * Validates a request and prepares it for display, or returns the response if it needs no approval.
 * Throws LatchkeyError.
 */
export async function prepareRequest(
  asked: WalletRequest,
): Promise<PreparedRequest | { result: unknown }> {
  const { origin, config, state } = asked
  const { method } = asked.call
  // Typed data is signed unchanged.
  const isSigned = method === 'eth_signTypedData_v4'
  const ask = isSigned
    ? asked
    : { ...asked, call: { ...asked.call, params: omitNulls(asked.call.params) } }
  const site = stateFor(origin, config, state)
  if (method === 'eth_requestAccounts' && site.connected) return { result: site.accounts }
  if (method.startsWith('solana_')) return prepareOnSolana(ask)
  if (method.startsWith('polkadot_')) return prepareOnPolkadot(ask)
  if (bitcoinMethods.has(method)) return prepareOnBitcoin(ask)
  if (connectMethods.has(method)) return prepareConnect(ask)
  if (signingMethods.has(method) && !site.connected) throw new LatchkeyError('UNAUTHORIZED')
  if (method === 'personal_sign') return prepareMessage(ask)
  if (method === 'eth_signTypedData_v4') return prepareTypedData(ask)
  if (method === 'eth_sendTransaction') return prepareTransaction(ask)
  if (method === 'wallet_sendCalls') return prepareBatch(ask)
  if (method === 'wallet_switchEthereumChain' || method === 'wallet_addEthereumChain')
    return prepareChain(ask)
  if (method === 'wallet_watchAsset') return prepareToken(ask)
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: method.slice(0, 100) } })
}

async function prepareOnSolana(ask: WalletRequest): Promise<PreparedRequest | { result: unknown }> {
  const { origin, call, config, state } = ask
  const { solanaAccounts } = stateFor(origin, config, state)
  const { method } = call
  const chain = config.solana
  if (!chain) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  if (!askingMethods.has(method))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: method.slice(0, 100) } })
  const isConnect = method === 'solana_requestAccounts'
  const isConnected = solanaAccounts.length > 0
  if (isConnect && isConnected) return { result: solanaAccounts.map((pubkey) => ({ pubkey })) }
  const connects = isConnect || method === 'solana_signIn'
  if (!connects && !isConnected) throw new LatchkeyError('UNAUTHORIZED')
  // Loaded with the first request: most sites do not use Solana.
  const { prepareSolana } = await import('../solana/prepareSolana.ts')
  return prepareSolana({ ...ask, chain })
}

async function prepareOnPolkadot(
  ask: WalletRequest,
): Promise<PreparedRequest | { result: unknown }> {
  const { origin, call, config, state } = ask
  const { polkadotAccounts } = stateFor(origin, config, state)
  const { method } = call
  const networks = config.polkadot
  if (networks.length === 0) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  if (!askingMethods.has(method))
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method: method.slice(0, 100) } })
  const isConnect = method === 'polkadot_requestAccounts'
  const isConnected = polkadotAccounts.length > 0
  if (isConnect && isConnected) return { result: polkadotAccounts.map((address) => ({ address })) }
  if (!isConnect && !isConnected) throw new LatchkeyError('UNAUTHORIZED')
  const { preparePolkadot } = await import('../polkadot/preparePolkadot.ts')
  return preparePolkadot({ ...ask, networks })
}

async function prepareOnBitcoin(
  ask: WalletRequest,
): Promise<PreparedRequest | { result: unknown }> {
  const { origin, call, config, state } = ask
  const { bitcoinAddresses } = stateFor(origin, config, state)
  const chain = config.bitcoin
  if (!chain) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  const isConnect = call.method === 'bip122_requestAddresses'
  const isConnected = bitcoinAddresses.length > 0
  if (isConnect && isConnected) return { result: bitcoinAddresses }
  if (!isConnect && !isConnected) throw new LatchkeyError('UNAUTHORIZED')
  // Loaded with the first request: most sites do not use Bitcoin.
  const { prepareBitcoin } = await import('../bitcoin/prepareBitcoin.ts')
  return prepareBitcoin({ ...ask, chain })
}

function prepareConnect({ origin, call, state }: WalletRequest): PreparedRequest {
  const account = currentAccount(state)
  return {
    title: 'Connect this site?',
    rows: [
      { label: 'Account', value: account },
      { label: 'Allows', value: 'See this address and request signatures' },
    ],
    approve: async () => {
      connectSite(origin, Date.now())
      if (call.method === 'eth_requestAccounts') return [account.toLowerCase()]
      return [{ invoker: origin, parentCapability: 'eth_accounts', caveats: [] }]
    },
  }
}

/** Converts an error to the form that a provider returns. */
export function toOutcome(error: unknown): WalletResult {
  if (!isError(error)) return { error: { code: -32603, message: 'Something went wrong' } }
  return { error: { code: getRpcCode(error.code) ?? -32603, message: error.message } }
}
