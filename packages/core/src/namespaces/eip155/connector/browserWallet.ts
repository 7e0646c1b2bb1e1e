import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import type { Eip1193Parameters } from './provider.ts'

/** A connector over an EIP-1193 provider. All but asking it is loaded at its first use: most wallets found are never asked. */
export function lazyEip1193(parameters: Eip1193Parameters): Connector {
  const connector = lazyConnector({
    info: parameters.info,
    open: () => import('./eip1193.ts').then((module) => module.createEip1193(parameters)),
  })
  const ask = () => {
    const response = requestAccounts(parameters)
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
const requestAccounts = async ({ provider }: Eip1193Parameters) =>
  provider()?.request({ method: 'eth_requestAccounts' })
