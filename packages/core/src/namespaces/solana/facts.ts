import { type Facts, readChainId } from '../facts.ts'

/** Solana: wallets of this browser register by the Wallet Standard; others are reached by WalletConnect and the secure frame. */
export const solana: Facts = {
  name: 'Solana',
  can: {
    send: ['solana_signAndSendTransaction', 'solana_signTransaction'],
    signMessage: ['solana_signMessage'],
    switchNetwork: [],
  },
  accountType: 'eoa',
  // Base58 of 32 bytes.
  isAddress: (text) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text),
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
  loadActions: async () => (await import('./actions.ts')).solana,
  loadRequestRules: async () => (await import('./requestRules.ts')).requestRules,
}
