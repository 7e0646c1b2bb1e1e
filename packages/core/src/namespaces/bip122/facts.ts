import { type Facts, isCaipAddress, readChainId } from '../facts.ts'

/** Bitcoin: wallets of this browser register or inject themselves; others are reached by WalletConnect. */
export const bip122: Facts = {
  name: 'Bitcoin',
  // An address belongs to one network, so a wallet cannot switch.
  can: { send: ['signPsbt', 'sendTransfer'], signMessage: ['signMessage'] },
  accountType: 'payment',
  isAddress: isCaipAddress,
  node: 'rest',
  getAddressKey: (address) => address,
  isZeroAddress: () => false,
  parseChainId: (value) => readChainId('bip122', value),
  loadActions: async () => (await import('./actions.ts')).bip122,
  reviewed: {
    methods: ['signPsbt'],
    load: async () => (await import('./reviewPsbt.ts')).reviewPsbt,
  },
  loadRequestRules: async () => (await import('./requestRules.ts')).requestRules,
}
