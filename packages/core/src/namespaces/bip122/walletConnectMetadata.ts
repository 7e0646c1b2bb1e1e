import type { WalletConnectMetadata } from '../metadata.ts'

/** A WalletConnect session on Bitcoin. */
export const bitcoinWalletConnect: WalletConnectMetadata = {
  methods: ['signPsbt', 'sendTransfer', 'signMessage'],
}
