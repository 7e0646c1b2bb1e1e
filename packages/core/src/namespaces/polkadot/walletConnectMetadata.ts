import type { WalletConnectMetadata } from '../metadata.ts'

/** A WalletConnect session on Polkadot. */
export const polkadotWalletConnect: WalletConnectMetadata = {
  methods: ['polkadot_signTransaction', 'polkadot_signMessage'],
}
