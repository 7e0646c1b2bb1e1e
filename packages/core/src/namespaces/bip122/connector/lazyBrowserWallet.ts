import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import type { BrowserWalletContext, FoundWallet } from './browserWallet.ts'

/**
 * A connector over a wallet of this browser. All but asking it is loaded at its first use: most are
 * never asked.
 */
export function lazyBrowserWallet(found: FoundWallet, context: BrowserWalletContext): Connector {
  const { info } = found
  // Async, as a wallet's code may throw.
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
