import type { WalletConnectFacts } from '../facts.ts'

/** A WalletConnect session on Polkadot. */
export const polkadot: WalletConnectFacts = {
  methods: ['polkadot_signTransaction', 'polkadot_signMessage'],
}
