import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import type { InjectedWalletParameters } from './injectedWallet.ts'

/** A connector over an injected wallet. All but asking it is loaded at its first use: most are never asked. */
export function lazyInjectedWallet(parameters: InjectedWalletParameters): Connector {
  const connector = lazyConnector({
    info: parameters.info,
    open: () =>
      import('./createInjectedWallet.ts').then((module) => module.createInjectedWallet(parameters)),
  })
  const ask = () => {
    const response = enable(parameters)
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
const enable = async ({ wallet, appName }: InjectedWalletParameters): Promise<unknown> =>
  wallet.enable(appName)
