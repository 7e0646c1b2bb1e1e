export * from './api/balance.ts'
export * from './api/directory.ts'
export type { Route } from './api/route.ts'
export * from './api/supportedChains.ts'
export * from './api/webConfig.ts'
export {
  type CaipAddress,
  type ChainId,
  isChainId,
  isNamespace,
  type Namespace,
  namespaces,
} from './caip.ts'
export {
  type Channel,
  type Handlers,
  type Limits,
  listenChannel,
  openChannel,
  type RequestOptions,
  type ServedChannel,
} from './channel.ts'
export type { Protocol } from './channelProtocol.ts'
export * from './errors.ts'
export * from './parseCaip.ts'
