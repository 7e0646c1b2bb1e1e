import type { Connector } from './connector.ts'
import { lazyConnector } from './lazyConnector.ts'
import type { WalletConnectParameters } from './walletConnect/context.ts'

/** Id of the connector that reaches phone wallets through a relay. */
export const walletConnectId = 'walletConnect'

/** Phone wallets, and all others that take a pairing. The client is loaded when a visitor takes this way. */
export const createWalletConnect = (parameters: WalletConnectParameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () =>
      import('./walletConnect/openWalletConnect.ts').then(({ openWalletConnect }) =>
        openWalletConnect(parameters),
      ),
  })
