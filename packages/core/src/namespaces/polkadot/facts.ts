import { type Facts, isCaipAddress, readChainId } from '../facts.ts'

/** Polkadot: its wallets are reached by WalletConnect, nothing acts on its networks yet. */
export const polkadot: Facts = {
  name: 'Polkadot',
  can: {},
  accountType: 'eoa',
  isAddress: isCaipAddress,
  getAddressKey: (address) => address,
  isZeroAddress: () => false,
  parseChainId: (value) => readChainId('polkadot', value),
  walletConnect: { methods: ['polkadot_signTransaction', 'polkadot_signMessage'] },
}
