import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import { getFeature } from '../../walletStandard/standardWallet.ts'
import type { StandardWalletParameters } from './standardAccount.ts'

/** A connector over a wallet of the Wallet Standard. All but asking it is loaded at its first use: most are never asked. */
export function lazyStandardWallet(parameters: StandardWalletParameters): Connector {
  const connector = lazyConnector({
    info: parameters.info,
    open: () =>
      import('./createStandardWallet.ts').then((module) => module.createStandardWallet(parameters)),
  })
  const ask = () => {
    const response = askAccounts(parameters)
    // `connect` handles the error.
    response.catch(() => {})
    return response
  }
  return {
    ...connector,
    ask,
    connect: ({ response = ask(), ...question }) => connector.connect({ ...question, response }),
  }
}

// Async, as a wallet's code may throw.
const askAccounts = async ({ wallet }: StandardWalletParameters): Promise<unknown> =>
  getFeature(wallet, 'standard:connect', 'connect')?.()
