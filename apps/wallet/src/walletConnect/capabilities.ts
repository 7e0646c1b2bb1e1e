import type { Config } from '../config.ts'

/** Methods a session may have, in words. */
export const methods: ReadonlyMap<string, string> = new Map([
  ['personal_sign', 'Ask for the signature of a message'],
  ['eth_signTypedData_v4', 'Ask for the signature of data'],
  ['eth_sendTransaction', 'Ask to send a transaction'],
  ['wallet_sendCalls', 'Ask to send several transactions, one after another'],
  ['wallet_switchEthereumChain', 'Ask to switch the network'],
  ['wallet_addEthereumChain', 'Ask to add a network'],
  ['wallet_watchAsset', 'Ask to watch a token'],
  ['eth_accounts', 'See the accounts you choose'],
  ['eth_requestAccounts', 'See the accounts you choose'],
  ['eth_chainId', 'See the network in use'],
  ['wallet_getCapabilities', 'See what the wallet can do'],
  ['wallet_getCallsStatus', 'See what became of what it sent'],
])

/** Of those, what needs no person: it says what the session says anyway. */
export const silentMethods: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_requestAccounts',
  'eth_chainId',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
])

/** Events the wallet tells of itself. Others can be told by hand. */
export const ownEvents: readonly string[] = ['chainChanged', 'accountsChanged']

/** CAIP-2 id of a network. */
export const toChainId = (chainId: number): string => `eip155:${chainId}`

/** Number of a CAIP-2 id that names a network of this wallet, else undefined. */
export const findChainId = (config: Config, chain: string): number | undefined =>
  config.chains.find(({ chainId }) => toChainId(chainId) === chain)?.chainId
