import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import type { BrowserWalletContext, FoundWallet } from './browserWallet.ts'

/**
 * A connector for a wallet of this browser. Everything but the first request loads at its first
 * use, because most wallets are never used.
 */
export function lazyBrowserWallet(found: FoundWallet, context: BrowserWalletContext): Connector {
  const { info } = found
  // Async, because a wallet's code may throw.
  const ask = async (): Promise<unknown> => found.ask()
  return lazyConnector({
    info,
    async open() {
      const [{ createBrowserWallet }, wallet] = await Promise.all([
        import('./createBrowserWallet.ts'),
        found.load(),
      ])
      return createBrowserWallet({ info, ask, wallet, ...context })
    },
    ask,
  })
}
