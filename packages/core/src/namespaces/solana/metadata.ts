import { decodeBase58 } from '@latchkey/wire'
import { type NamespaceMetadata, readChainId } from '../metadata.ts'

/**
 * Solana: wallets of this browser register by the Wallet Standard; others are reached by
 * WalletConnect and the secure frame.
 */
export const solanaMetadata: NamespaceMetadata = {
  name: 'Solana',
  can: {
    send: ['solana_signAndSendTransaction', 'solana_signTransaction'],
    signMessage: ['solana_signMessage'],
    switchNetwork: [],
  },
  accountType: 'eoa',
  isAddress: (text) => text.length <= 44 && decodeBase58(text)?.length === 32,
  getAddressKey: (address) => address,
  isZeroAddress: (address) => /^1{32}$/.test(address),
  node: 'jsonRpc',
  explorerPath: 'account',
  parseChainId: (value) => readChainId('solana', value),
  walletBrowsers: [
    {
      wallet: /^(cbwallet:|https:\/\/go\.cb-w\.com\/)/,
      link: 'https://go.cb-w.com/dapp?cb_url=',
    },
  ],
  loadActions: async () => (await import('./actions.ts')).solanaActions,
  loadRequestHandlers: async () => (await import('./requestHandlers.ts')).solanaRequestHandlers,
}
