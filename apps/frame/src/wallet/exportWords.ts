import { wordsOf } from './deriveAccounts.ts'
import { openWallet } from './openWallet.ts'
import type { Identity, Vault } from './vault.ts'

/** The phrase of 24 words (BIP-39), for another wallet. Whoever sees it has everything. */
export const exportWords = (vault: Vault, who: Identity): Promise<string> =>
  openWallet(vault, who, ({ secrets }) => wordsOf(secrets.seed))
