import { swapRouterFunctions, wrappedNativeFunctions } from '@latchkey/wire'
import { parseAbi } from 'viem'

/** The functions of Uniswap's SwapRouter02 that swaps use. */
export const swapRouterAbi = parseAbi(swapRouterFunctions)

/** The wrapped native currency (WETH9). */
export const wrappedNativeAbi = parseAbi(wrappedNativeFunctions)
