import type { Facts } from '../facts.ts'
import { parseEvmChainId } from './chainId.ts'

/** EVM networks. */
export const eip155: Facts = {
  name: 'EVM',
  can: {
    send: ['eth_sendTransaction'],
    signMessage: ['personal_sign'],
    signTypedData: ['eth_signTypedData_v4'],
    // A session that has not approved the method is switched by us, on the chains that it has approved.
    switchNetwork: [],
  },
  accountType: 'eoa',
  hasNfts: true,
  isAddress: (text) => /^0x[0-9a-fA-F]{40}$/.test(text),
  getAddressKey: (address) => address.toLowerCase(),
  isZeroAddress: (address) => /^0x0{40}$/.test(address),
  nativeTokenAddress: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  parseChainId: parseEvmChainId,
  walletConnect: {
    methods: [
      'eth_accounts',
      'eth_requestAccounts',
      'eth_sendRawTransaction',
      'eth_sign',
      'eth_signTransaction',
      'eth_signTypedData',
      'eth_signTypedData_v3',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'personal_sign',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_getPermissions',
      'wallet_requestPermissions',
      'wallet_registerOnboarding',
      'wallet_watchAsset',
      'wallet_scanQRCode',
      'wallet_getCallsStatus',
      'wallet_showCallsStatus',
      'wallet_sendCalls',
      'wallet_getCapabilities',
      'wallet_grantPermissions',
      'wallet_revokePermissions',
      'wallet_getAssets',
    ],
  },
  hasNode: true,
  loadActions: async () => (await import('./actions.ts')).eip155,
  loadRequestRules: async () => (await import('./requestRules.ts')).requestRules,
}
