import { bytesToHex, decodeBase58 } from '@latchkey/wire'
import { type NamespaceMetadata, readChainId } from '../metadata.ts'

/**
 * Polkadot: extensions of this browser inject themselves; other wallets are reached by
 * WalletConnect.
 */
export const polkadotMetadata: NamespaceMetadata = {
  name: 'Polkadot',
  can: { signMessage: ['polkadot_signMessage'], switchNetwork: [] },
  accountType: 'eoa',
  // SS58 in base58: one or two bytes of prefix, 32 of the account, two of checksum.
  isAddress: (text) => /^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(text),
  getAddressKey,
  isZeroAddress: (address) => /^0{64}$/.test(getAddressKey(address)),
  explorerPath: 'account',
  parseChainId: (value) => readChainId('polkadot', value),
  loadActions: async () => (await import('./actions.ts')).polkadotActions,
  loadRequestHandlers: async () => (await import('./requestHandlers.ts')).polkadotRequestHandlers,
}

/**
 * The key of the account behind an address, because an account has a different address on each
 * network.
 */
function getAddressKey(address: string): string {
  const bytes = decodeBase58(address)
  return bytes && bytes.length > 34 ? bytesToHex(bytes.slice(-34, -2)) : address
}
