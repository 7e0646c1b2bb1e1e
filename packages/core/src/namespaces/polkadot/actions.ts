import { LatchkeyError } from '@latchkey/wire'
import { decodeSs58Address } from '@latchkey/wire/polkadot'
import type { LoadedActions } from '../actions.ts'

/** The actions on Polkadot networks. Without a node, actions that read the chain are missing. */
export const polkadotActions: LoadedActions = {
  namespace: 'polkadot',
  isAddress: (address) => decodeSs58Address(address) !== undefined,
  formatAddress(address) {
    if (!decodeSs58Address(address.trim())) throw new LatchkeyError('INVALID_ADDRESS')
    return address.trim()
  },
  async signMessage({ wallet, address, message }) {
    const answer = await wallet('polkadot_signMessage', { address, message })
    // Connectors have already verified it.
    return (answer as { signature: string }).signature
  },
  switchTo: ({ network, selectChain }) => selectChain(network.caipNetworkId),
}
