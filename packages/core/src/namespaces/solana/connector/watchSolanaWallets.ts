import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import type { WatchWallets } from '../../facts.ts'
import { getFeature, watchStandardWallets } from '../../walletStandard/standardWallet.ts'
import { parseStandardWallet } from './parseStandardWallet.ts'
import type { StandardWalletParameters } from './standardAccount.ts'

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

/** A connector over a wallet of the Wallet Standard. All but asking it is loaded at its first use: most are never asked. */
const lazyStandardWallet = (parameters: StandardWalletParameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () =>
      import('./createStandardWallet.ts').then((module) => module.createStandardWallet(parameters)),
    ask: () => getFeature(parameters.wallet, 'standard:connect', 'connect')?.(),
  })
