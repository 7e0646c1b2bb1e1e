import type { Connector } from '../../../connection/connectors/connector.ts'
import { lazyConnector } from '../../../connection/connectors/lazyConnector.ts'
import { accountsRequest, choiceRequest, type Eip1193Parameters } from './provider.ts'

/**
 * A connector for an EIP-1193 provider. Everything but the first request loads at its first use,
 * because most wallets are never used.
 */
export const lazyEip1193 = (parameters: Eip1193Parameters): Connector =>
  lazyConnector({
    info: parameters.info,
    open: () => import('./eip1193.ts').then((module) => module.createEip1193(parameters)),
    ask: (isAgain) => parameters.provider()?.request(isAgain ? choiceRequest : accountsRequest),
  })
