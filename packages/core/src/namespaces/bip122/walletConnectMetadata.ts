import type { WalletConnectMetadata } from '../metadata.ts'

/** The facts of Bitcoin for WalletConnect sessions. */
export const bitcoinWalletConnect: WalletConnectMetadata = {
  methods: ['signPsbt', 'sendTransfer', 'signMessage'],
}
