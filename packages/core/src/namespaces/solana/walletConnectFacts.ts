import { solanaIds } from '@latchkey/wire'
import type { WalletConnectFacts } from '../facts.ts'

/** A WalletConnect session on Solana. */
export const solana: WalletConnectFacts = {
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
