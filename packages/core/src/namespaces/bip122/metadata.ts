import type { ChainId } from '@latchkey/wire'
import { type NamespaceMetadata, readChainId } from '../metadata.ts'

/**
 * The forms of addresses: Bech32 with the network's prefix, or Base58 with the first letters that
 * the version bytes produce.
 */
const forms = {
  mainnet: /^(?:bc1[\da-z]{11,87}|[13][1-9a-z]{25,34})$/i,
  testnet: /^(?:tb1[\da-z]{11,87}|[2mn][1-9a-z]{25,34})$/i,
  regtest: /^(?:bcrt1[\da-z]{11,87}|[2mn][1-9a-z]{25,34})$/i,
}

/**
 * Bitcoin: wallets of this browser register or inject themselves; others are reached by
 * WalletConnect.
 */
export const bitcoinMetadata: NamespaceMetadata = {
  name: 'Bitcoin',
  // An address belongs to one network, so a wallet cannot switch.
  can: { send: ['signPsbt', 'sendTransfer'], signMessage: ['signMessage'] },
  accountType: 'payment',
  isAddress,
  node: 'rest',
  getAddressKey: (address) => address,
  isZeroAddress: () => false,
  parseChainId: (value) => readChainId('bip122', value),
  loadActions: async () => (await import('./actions.ts')).bitcoinActions,
  reviewed: {
    methods: ['signPsbt'],
    load: async () => (await import('./reviewPsbt.ts')).reviewPsbt,
  },
  loadRequestHandlers: async () => (await import('./requestHandlers.ts')).bitcoinRequestHandlers,
}

function isAddress(text: string, chainId?: ChainId): boolean {
  if (!chainId) return Object.values(forms).some((form) => form.test(text))
  if (chainId === 'bip122:000000000019d6689c085ae165831e93') return forms.mainnet.test(text)
  const isLocal = chainId === 'bip122:5c66f8fcc1e9488fef9402b1af48d8e7'
  return forms[isLocal ? 'regtest' : 'testnet'].test(text)
}
