import type { Config } from '../config.ts'

/** Labels of the methods that a session may have on EVM networks. */
export const methods: ReadonlyMap<string, string> = new Map([
  ['personal_sign', 'Ask for the signature of a message'],
  ['eth_signTypedData_v4', 'Ask for the signature of data'],
  ['eth_sendTransaction', 'Ask to send a transaction'],
  ['wallet_sendCalls', 'Ask to send several calls'],
  ['wallet_switchEthereumChain', 'Ask to switch the network'],
  ['wallet_addEthereumChain', 'Ask to add a network'],
  ['wallet_watchAsset', 'Ask to watch a token'],
  ['eth_accounts', 'See the accounts you choose'],
  ['eth_requestAccounts', 'See the accounts you choose'],
  ['eth_chainId', 'See the network in use'],
  ['wallet_getCapabilities', 'See what the wallet can do'],
  ['wallet_getCallsStatus', 'See what became of what it sent'],
])

/** Labels of the methods on Solana. */
export const solanaMethods: ReadonlyMap<string, string> = new Map([
  ['solana_signMessage', 'Ask for the signature of a message'],
  ['solana_signTransaction', 'Ask to sign a transaction'],
  ['solana_signAllTransactions', 'Ask to sign several transactions'],
  ['solana_signAndSendTransaction', 'Ask to send a transaction'],
  ['solana_getAccounts', 'See the accounts you choose'],
  ['solana_requestAccounts', 'See the accounts you choose'],
])

/** Labels of the methods on Polkadot. */
export const polkadotMethods: ReadonlyMap<string, string> = new Map([
  ['polkadot_signMessage', 'Ask for the signature of a message'],
  ['polkadot_signTransaction', 'Ask to sign a transaction'],
])

/** Labels of the methods on Bitcoin. */
export const bitcoinMethods: ReadonlyMap<string, string> = new Map([
  ['signMessage', 'Ask for the signature of a message'],
  ['signPsbt', 'Ask to sign a transaction'],
  ['sendTransfer', 'Ask to send bitcoin'],
  ['getAccountAddresses', 'See both addresses of the accounts you choose'],
])

/** Methods that need no approval, because they return what the session already contains. */
export const silentMethods: ReadonlySet<string> = new Set([
  'eth_accounts',
  'eth_requestAccounts',
  'eth_chainId',
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'solana_getAccounts',
  'solana_requestAccounts',
  'getAccountAddresses',
])

/** Events that the wallet emits automatically. Others can be emitted by hand. */
export const ownEvents: readonly string[] = ['chainChanged', 'accountsChanged']

/** CAIP-2 id of a network. */
export const toChainId = (chainId: number): string => `eip155:${chainId}`

/** Chain id of a CAIP-2 id if it is a network of this wallet, else undefined. */
export const findChainId = (config: Config, chain: string): number | undefined =>
  config.chains.find(({ chainId }) => toChainId(chainId) === chain)?.chainId
