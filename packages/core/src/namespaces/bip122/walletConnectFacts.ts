import type { WalletConnectFacts } from '../facts.ts'

/** A WalletConnect session on Bitcoin. */
export const bip122: WalletConnectFacts = { methods: ['signPsbt', 'sendTransfer', 'signMessage'] }
