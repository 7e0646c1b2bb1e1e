/**
 * The preconfigured networks, and functions to define others and a config: plain data, also for
 * server components.
 */
import type { Config } from '@latchkey/core'

export {
  defineNetwork,
  fromViemChain,
  type NetworkParameters,
  type ViemChain,
} from '@latchkey/core'
export * from '@latchkey/core/networks'

/**
 * Returns a config with the type of exactly its networks, for `createApp`, for `LatchkeyProvider`
 * and for `Register`.
 */
export const defineConfig = <const Given extends Config>(config: Given): Given => config
