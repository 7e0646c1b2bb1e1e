/**
 * The preconfigured networks, and functions to define others: plain data, also for server
 * components.
 */
export {
  defineNetwork,
  fromViemChain,
  type NetworkParameters,
  type ViemChain,
} from '@latchkey/core'
export * from '@latchkey/core/networks'
