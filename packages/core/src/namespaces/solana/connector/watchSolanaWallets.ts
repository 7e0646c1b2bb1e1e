import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import type { WatchWallets } from '../../metadata.ts'
import { getPreferredChains } from '../../preferredChains.ts'
import {
  getFeature,
  type StandardWallet,
  watchStandardWallets,
} from '../../walletStandard/standardWallet.ts'
import { parseSolanaStandardWallet } from './parseStandardWallet.ts'
import type { StandardWalletParameters } from './standardAccount.ts'

/** The largest number of listed wallets, because a page can be flooded with them. */
const walletsLimit = 50

/**
 * Finds the Solana wallets of this browser: those that register themselves by the Wallet Standard.
 */
export const watchSolanaWallets: WatchWallets = (app, add) => {
  const { config, environment, signal } = app
  const { sleep } = environment
  const chainIds = () => getPreferredChains(app, 'solana')
  const oneClick =
    config.siwx && (async () => (await import('../../../siwx/oneClick.ts')).openOneClick(app))
  if (!config.wallets.walletStandard) return
  const ids = new Set<string>()
  watchStandardWallets((wallet) => {
    const found = parseSolanaStandardWallet(wallet, chainIds())
    if (!found || ids.has(found.info.id) || ids.size >= walletsLimit) return
    ids.add(found.info.id)
    const signsIn = oneClick && hasSignIn(found.wallet)
    add(lazyStandardWallet({ ...found, chainIds, sleep, ...(signsIn && { oneClick }) }))
  }, signal)
}

/**
 * A connector for a wallet of the Wallet Standard. Everything but the first request loads at its
 * first use, because most wallets are never used.
 */
const lazyStandardWallet = (parameters: StandardWalletParameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () =>
      import('./createStandardWallet.ts').then((module) =>
        module.createSolanaStandardWallet(parameters),
      ),
    // A sign-in needs a nonce first.
    ...(!parameters.oneClick && {
      ask: () => getFeature(parameters.wallet, 'standard:connect', 'connect')?.(),
    }),
  })

/** Whether a wallet connects and signs in with one approval. */
function hasSignIn(wallet: StandardWallet): boolean {
  try {
    return getFeature(wallet, 'solana:signIn', 'signIn') !== undefined
  } catch {
    return false
  }
}
