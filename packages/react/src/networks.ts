/** The preconfigured networks, and how to make others: plain data, also for server components. */
export {
  defineNetwork,
  fromViemChain,
  type NetworkParameters,
  type ViemChain,
} from '@latchkey/core'
export * from '@latchkey/core/networks'
