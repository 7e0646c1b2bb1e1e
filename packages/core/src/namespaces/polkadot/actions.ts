import { LatchkeyError } from '@latchkey/wire'
import { decodeAddress } from '@latchkey/wire/polkadot'
import type { LoadedActions } from '../actions.ts'

/**
 * What can be done on Polkadot's networks; without a node of theirs nothing that reads the chain.
 */
export const polkadot: LoadedActions = {
  namespace: 'polkadot',
  isAddress: (address) => decodeAddress(address) !== undefined,
  formatAddress(address) {
    if (!decodeAddress(address.trim())) throw new LatchkeyError('INVALID_ADDRESS')
    return address.trim()
  },
  async signMessage({ wallet, address, message }) {
    const answer = await wallet('polkadot_signMessage', { address, message })
    // Connectors have verified it.
    return (answer as { signature: string }).signature
  },
  switchTo: ({ network, selectChain }) => selectChain(network.caipNetworkId),
}
