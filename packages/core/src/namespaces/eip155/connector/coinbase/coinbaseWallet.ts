import type { CreateConnector } from '../../../../app.ts'
import { lazyConnector } from '../../../../connection/connectors/lazyConnector.ts'
import { loadOnce } from '../../../../loadOnce.ts'
import type { CoinbasePreference } from './openCoinbase.ts'

export type CoinbaseWalletParameters = {
  /**
   * Which Coinbase wallets to offer: `all` unless set, only smart wallets, or only keys in its app.
   */
  preference?: CoinbasePreference
  /** The page that the popup shows; Coinbase's own page unless set. */
  keysUrl?: string
}

/** The wallet's id in the directory. */
const walletId = 'd0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8'
const imageId = 'c495a8fe-f598-86d1-8335-dc7cbc1ce270'

const features = 'popup,width=420,height=540'

/**
 * Coinbase Wallet: its extension if this browser has it, otherwise its SDK, in a Coinbase popup.
 * The app installs `@coinbase/wallet-sdk`, which loads when the user chooses the wallet or returns
 * with it.
 */
export const coinbaseWallet =
  ({ preference = 'all', keysUrl }: CoinbaseWalletParameters = {}): CreateConnector =>
  (app) => {
    const info = {
      ...({ id: 'coinbaseWalletSDK', kind: 'external', name: 'Coinbase Wallet' } as const),
      ...{ rdns: 'com.coinbase.wallet', walletId, imageId },
      namespaces: ['eip155'] as const,
      traits: { isExternal: true, reconnectsSavedOnly: true, opensWindow: true },
    }
    const load = loadOnce(async () => {
      const { openCoinbase } = await import('./openCoinbase.ts')
      return openCoinbase({ app, info, preference, keysUrl })
    })
    return lazyConnector({
      info,
      open: async () => (await load()).connector,
      async ask() {
        // Some browsers allow a popup only in the click itself, before anything has loaded.
        const opened = window.open('about:blank', '_blank', features)
        try {
          return await (await load()).ask(opened)
        } catch (error) {
          opened?.close()
          throw error
        }
      },
    })
  }
