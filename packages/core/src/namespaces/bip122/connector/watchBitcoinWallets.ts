import type { WatchWallets } from '../../metadata.ts'
import { getPreferredChains, getSavedConnection } from '../../preferredChains.ts'
import { watchStandardWallets } from '../../walletStandard/standardWallet.ts'
import type { FoundWallet } from './browserWallet.ts'
import { findInjectedWallets } from './injectedWallets.ts'
import { lazyBrowserWallet } from './lazyBrowserWallet.ts'
import { findSatsConnectWallets } from './satsConnectWallets.ts'
import { parseBitcoinStandardWallet } from './standardWallets.ts'

/** The largest number of listed wallets, because a page can be flooded with them. */
const walletsLimit = 50
/** When to search again, because no event reports that a wallet has injected itself. */
const nextLooksMs = [50, 150, 300, 500, 1_000, 2_000]

/**
 * Finds the Bitcoin wallets of this browser: by the Wallet Standard, in the list of the
 * sats-connect protocol, and in the places that wallets inject themselves into. Sends no request to
 * any wallet.
 */
export const watchBitcoinWallets: WatchWallets = async (app, add) => {
  const { config, environment, signal } = app
  const { sleep } = environment
  const chainIds = () => getPreferredChains(app, 'bip122')
  const ids = new Set<string>()
  const addWallet = (found: FoundWallet | undefined) => {
    if (!found || ids.has(found.info.id) || ids.size >= walletsLimit) return
    const { id } = found.info
    ids.add(id)
    const getSaved = () => getSavedConnection(app, { namespace: 'bip122', connectorId: id })
    add(lazyBrowserWallet(found, { chainIds, getSaved, sleep }))
  }
  if (config.wallets.walletStandard)
    watchStandardWallets(
      (wallet) => addWallet(parseBitcoinStandardWallet(wallet, chainIds())),
      signal,
    )
  if (!config.wallets.injected) return
  const look = () => {
    for (const found of findSatsConnectWallets(chainIds)) addWallet(found)
    for (const found of findInjectedWallets()) addWallet(found)
  }
  look()
  for (const ms of nextLooksMs) {
    await sleep(ms, signal)
    if (signal.aborted) return
    look()
  }
}
