import { solanaIds } from '@latchkey/wire'
import type { WalletConnectMetadata } from '../metadata.ts'

/** The facts of Solana for WalletConnect sessions. */
export const solanaWalletConnect: WalletConnectMetadata = {
  methods: [
    'solana_signMessage',
    'solana_signTransaction',
    'solana_requestAccounts',
    'solana_getAccounts',
    'solana_signAllTransactions',
    'solana_signAndSendTransaction',
  ],
  legacyChainIds: solanaIds,
}
