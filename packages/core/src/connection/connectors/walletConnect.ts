import type { Namespace } from '@latchkey/wire'
import type { App } from '../../app.ts'
import type { Connector } from './connector.ts'
import { lazyConnector } from './lazyConnector.ts'

/** Id of the connector that reaches phone wallets through a relay. */
export const walletConnectId = 'walletConnect'

/**
 * The connector for phone wallets, and for all others that accept a pairing. The client is loaded
 * when a user chooses it.
 */
export function createWalletConnect(app: App): Connector {
  const [first, ...others] = new Set(app.config.networks.map((each) => each.chainNamespace))
  const info = {
    id: walletConnectId,
    kind: 'walletConnect',
    name: 'WalletConnect',
    traits: { pairs: true, approvesLate: true, reconnectsSavedOnly: true },
    namespaces: [first as Namespace, ...others],
  } as const
  return lazyConnector({
    info,
    open: () =>
      import('./walletConnect/startWalletConnect.ts').then((module) =>
        module.startWalletConnect(app, info),
      ),
  })
}
