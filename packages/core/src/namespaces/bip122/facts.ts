import { type Facts, isCaipAddress, readChainId } from '../facts.ts'

/** Bitcoin: its wallets are reached by WalletConnect, nothing acts on its networks yet. */
export const bip122: Facts = {
  name: 'Bitcoin',
  can: {},
  accountType: 'payment',
  isAddress: isCaipAddress,
  getAddressKey: (address) => address,
  isZeroAddress: () => false,
  parseChainId: (value) => readChainId('bip122', value),
  walletConnect: { methods: ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses'] },
}
