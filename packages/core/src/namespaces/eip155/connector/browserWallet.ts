import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import { accountsRequest, choiceRequest, type Eip1193Parameters } from './provider.ts'

/**
 * A connector over an EIP-1193 provider. All but asking it is loaded at its first use: most wallets
 * found are never asked.
 */
export const lazyEip1193 = (parameters: Eip1193Parameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () => import('./eip1193.ts').then((module) => module.createEip1193(parameters)),
    ask: (isAgain) => parameters.provider()?.request(isAgain ? choiceRequest : accountsRequest),
  })
