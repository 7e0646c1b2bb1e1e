import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import type { InjectedWalletParameters } from './injectedWallet.ts'

/** A connector over an injected wallet. All but asking it is loaded at its first use: most are never asked. */
export const lazyInjectedWallet = (parameters: InjectedWalletParameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () =>
      import('./createInjectedWallet.ts').then((module) => module.createInjectedWallet(parameters)),
    ask: () => parameters.wallet.enable(parameters.appName),
  })
