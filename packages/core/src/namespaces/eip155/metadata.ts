import type { NamespaceMetadata } from '../metadata.ts'
import { parseEvmChainId } from './chainId.ts'

/** EVM networks. */
export const evmMetadata: NamespaceMetadata = {
  name: 'Ethereum & EVM',
  can: {
    send: ['eth_sendTransaction'],
    signMessage: ['personal_sign'],
    signTypedData: ['eth_signTypedData_v4'],
    // A session that has not approved the method is switched by us, on the chains that it has
    // approved.
    switchNetwork: [],
  },
  accountType: 'eoa',
  hasNfts: true,
  hasJointActivity: true,
  isAddress: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
  getAddressKey: (address) => address.toLowerCase(),
  hasSiwe: true,
  isZeroAddress: (address) => /^0x0{40}$/.test(address),
  nativeTokenAddress: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  parseChainId: parseEvmChainId,
  node: 'jsonRpc',
  checked: ['wallet_sendCalls'],
  showsCalls: 'wallet_showCallsStatus',
  loadActions: async () => (await import('./actions.ts')).evmActions,
  loadRequestHandlers: async () => (await import('./requestHandlers.ts')).evmRequestHandlers,
}
