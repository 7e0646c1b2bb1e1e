import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import { getFeature } from '../../walletStandard/standardWallet.ts'
import type { StandardWalletParameters } from './standardAccount.ts'

/** A connector over a wallet of the Wallet Standard. All but asking it is loaded at its first use: most are never asked. */
export const lazyStandardWallet = (parameters: StandardWalletParameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () =>
      import('./createStandardWallet.ts').then((module) => module.createStandardWallet(parameters)),
    ask: () => getFeature(parameters.wallet, 'standard:connect', 'connect')?.(),
  })
