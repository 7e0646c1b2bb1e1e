import type { WalletConnectMetadata } from '../metadata.ts'

/** The facts of Polkadot for WalletConnect sessions. */
export const polkadotWalletConnect: WalletConnectMetadata = {
  methods: ['polkadot_signTransaction', 'polkadot_signMessage'],
}
