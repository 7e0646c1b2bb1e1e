import type { WatchWallets } from '../../facts.ts'
import { lazyStandardWallet } from './lazyStandardWallet.ts'
import { parseStandardWallet } from './parseStandardWallet.ts'
import type { RegisterApi } from './standardWallet.ts'

/** Wallets that are listed at most: a page can be flooded. */
const walletsLimit = 50

/** Finds the Solana wallets of this browser: those that register themselves by the Wallet Standard. */
export const watchSolanaWallets: WatchWallets = ({ config, add, chainIds, sleep, signal }) => {
  if (config.enableWalletStandard === false) return
  const ids = new Set<string>()
  const addWallet = (wallet: unknown) => {
    const found = parseStandardWallet(wallet, chainIds())
    if (!found || ids.has(found.info.id) || ids.size >= walletsLimit || signal.aborted) return
    ids.add(found.info.id)
    add(lazyStandardWallet({ ...found, chainIds, sleep }))
  }
  const api: RegisterApi = Object.freeze({
    register(...wallets: readonly unknown[]) {
      for (const wallet of wallets) addWallet(wallet)
      // A wallet that goes away answers no request, and connectors say so.
      return () => {}
    },
  })
  const receive = (event: Event) => {
    try {
      ;(event as CustomEvent<(api: RegisterApi) => void>).detail(api)
    } catch {
      // A wallet's code: what it throws is its own.
    }
  }
  window.addEventListener('wallet-standard:register-wallet', receive)
  signal.addEventListener('abort', () =>
    window.removeEventListener('wallet-standard:register-wallet', receive),
  )
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
}
