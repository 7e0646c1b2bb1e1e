import type { WatchWallets } from '../../facts.ts'
import { watchStandardWallets } from '../../walletStandard/standardWallet.ts'
import { lazyStandardWallet } from './lazyStandardWallet.ts'
import { parseStandardWallet } from './parseStandardWallet.ts'

/** Wallets that are listed at most: a page can be flooded. */
const walletsLimit = 50

/** Finds the Solana wallets of this browser: those that register themselves by the Wallet Standard. */
export const watchSolanaWallets: WatchWallets = ({ config, add, chainIds, sleep, signal }) => {
  if (config.enableWalletStandard === false) return
  const ids = new Set<string>()
  watchStandardWallets((wallet) => {
    const found = parseStandardWallet(wallet, chainIds())
    if (!found || ids.has(found.info.id) || ids.size >= walletsLimit) return
    ids.add(found.info.id)
    add(lazyStandardWallet({ ...found, chainIds, sleep }))
  }, signal)
}
