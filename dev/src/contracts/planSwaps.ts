import type { Address } from 'viem'
import type { Builder } from './builder.ts'

/**
 * The quoter of Uniswap V3, and a router that serves the pools of both versions as SwapRouter02
 * does.
 */
export function planSwaps(
  builder: Builder,
  parameters: { weth: Address; v2Factory: Address; v3Factory: Address },
) {
  const { weth, v2Factory, v3Factory } = parameters
  const router = builder.deploy('DevSwapRouter', v2Factory, v3Factory, weth)
  const quoter = builder.deploy('QuoterV2', v3Factory, weth)
  return { swapRouter: router.address, quoter: quoter.address }
}
