import type { ChainId } from '@latchkey/wire'
import type { Network } from './networks.ts'

/**
 * The config of an app, for its types: an app declares `interface Register` in the module
 * `@latchkey/react`, with the type of its `config`. Otherwise, every chain id is accepted.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add `config` by declaration merging
export interface Register {}

/** The networks of the registered config. */
export type RegisteredNetworks = Register extends {
  config: { networks: infer Networks extends readonly [Network, ...Network[]] }
}
  ? Networks
  : readonly [Network, ...Network[]]

/** The CAIP-2 id of a network of the registered config. */
export type RegisteredChainId = Register extends { config: object }
  ? RegisteredNetworks[number]['caipNetworkId']
  : ChainId
