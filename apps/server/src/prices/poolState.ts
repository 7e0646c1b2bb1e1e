import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import { decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import type { ContractRead } from '../evm/readContracts.ts'
import { poolAbi } from './abi.ts'
import type { Pool } from './findPools.ts'

/**
 * The price in a pool of two sorted tokens: `numerator / denominator` of the second token for one
 * of the first.
 */
export type Ratio = { readonly numerator: bigint; readonly denominator: bigint }

/** The current state of a pool. `depth`: how much of each token backs the ratio. */
export type PoolState = Ratio & { readonly depth: readonly [bigint, bigint] }

/** The reads of a pool's state, for {@link parsePoolState}. */
export function getPoolReads({ kind, address, first, second }: Pool): ContractRead[] {
  const call = (functionName: 'getReserves' | 'slot0' | 'liquidity') => ({
    to: address,
    data: encodeFunctionData({ abi: poolAbi, functionName }),
  })
  if (kind === 'uniswap-v2') return [call('getReserves')]
  const lies = (to: Hex) => ({
    to,
    data: encodeFunctionData({ abi: poolAbi, functionName: 'balanceOf', args: [address] }),
  })
  return [call('slot0'), call('liquidity'), lies(first), lies(second)]
}

/**
 * A pool's state from the results of {@link getPoolReads}; undefined if they are invalid or a side
 * is empty.
 */
export function parsePoolState(
  { kind }: Pool,
  answers: readonly (Hex | undefined)[],
): PoolState | undefined {
  const [main, ...others] = answers
  if (main === undefined) return undefined
  try {
    return kind === 'uniswap-v2' ? stateV2(main) : stateV3(main, others)
  } catch {
    return undefined
  }
}

function stateV2(data: Hex): PoolState | undefined {
  const [first, second] = decodeFunctionResult({ abi: poolAbi, functionName: 'getReserves', data })
  if (first === 0n || second === 0n) return undefined
  return { numerator: second, denominator: first, depth: [first, second] }
}

/**
 * V3 keeps the square root of the ratio times 2^96, and `liquidity` = √(first · second) of the
 * range around it.
 */
export const ratioV3 = (sqrtPriceX96: bigint): Ratio => ({
  numerator: sqrtPriceX96 * sqrtPriceX96,
  denominator: 1n << 192n,
})

function stateV3(data: Hex, others: readonly (Hex | undefined)[]): PoolState | undefined {
  const [sqrtPriceX96] = decodeFunctionResult({ abi: poolAbi, functionName: 'slot0', data })
  const [liquidity, first, second] = others.map(decodeUint)
  if (!sqrtPriceX96 || !liquidity || first === undefined || second === undefined) return undefined
  // A narrow range looks deeper than the tokens in it, and tokens far from the price do not back
  // it.
  const depth = [
    min(first, (liquidity << 96n) / sqrtPriceX96),
    min(second, (liquidity * sqrtPriceX96) >> 96n),
  ] as const
  return { ...ratioV3(sqrtPriceX96), depth }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
