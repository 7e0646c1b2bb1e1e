import type { ChainConfig } from '../config/chainsFile.ts'
import type { Hex } from './hex.ts'

/**
 * The contract that wraps the native currency of a network, in lower case, if the network names it
 * for itself or for its exchanges.
 */
export function getWrappedNative(chain: ChainConfig): Hex | undefined {
  const { wrappedNative, uniswapV3, uniswapV2 } = chain
  const found = wrappedNative ?? uniswapV3?.wrappedNative ?? uniswapV2?.wrappedNative
  return found?.toLowerCase() as Hex | undefined
}
