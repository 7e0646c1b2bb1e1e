import { swapRouterFunctions, wrappedNativeFunctions } from '@latchkey/wire'
import { parseAbi } from 'viem/utils'

/** QuoterV2 of Uniswap V3. Use `eth_call`: it simulates a trade and reverts it. */
export const quoterAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[], uint32[], uint256 gasEstimate)',
])
export const clockAbi = parseAbi([
  'function getBlockNumber() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
])
/** SwapRouter02. */
export const routerAbi = parseAbi([
  'function factoryV2() view returns (address)',
  'function factory() view returns (address)',
  ...swapRouterFunctions,
])
export const wrappedAbi = parseAbi(wrappedNativeFunctions)
export const probeAbi = parseAbi([
  'function probe(address token, address recipient, uint256 amount) returns (uint256 received, uint256 returned)',
])
