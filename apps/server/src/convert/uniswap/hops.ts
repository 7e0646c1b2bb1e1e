import { decodeWords } from '../../evm/decodeResult.ts'
import type { Hex } from '../../evm/hex.ts'
import { type Ratio, ratioV3 } from '../../prices/poolState.ts'
import type { Path, SwapPool } from './findPaths.ts'

const gasPerPair = 110_000n
/** The number of words that pools return: `slot0` of V3, `getReserves` of V2. */
const slot0Words = 7
const reservesWords = 3

/**
 * A pool in the direction of a trade: `price` is output per input; `reserves` is set for V2 pairs.
 */
type Hop = {
  readonly price: Ratio
  readonly fee: bigint
  readonly reserves?: readonly [bigint, bigint]
}

/** The pools of a path with their current state; undefined if the state of any pool is unusable. */
export function readHops({ version, tokens, pools }: Path, states: readonly (Hex | undefined)[]) {
  const hops = pools.flatMap((pool, index) => {
    const data = states[index]
    const isForward = tokens[index] === pool.first
    const hop = data === undefined ? undefined : readHop(version, { pool, data, isForward })
    return hop ? [hop] : []
  })
  return hops.length === pools.length ? hops : undefined
}

type State = { readonly pool: SwapPool; readonly data: Hex; readonly isForward: boolean }

function readHop(version: Path['version'], { pool, data, isForward }: State): Hop | undefined {
  const fee = BigInt(pool.fee)
  if (version === 'v3') {
    const [root = 0n] = decodeWords(data, slot0Words) ?? []
    if (root === 0n) return undefined
    const { numerator, denominator } = ratioV3(root)
    const price = isForward
      ? { numerator, denominator }
      : { numerator: denominator, denominator: numerator }
    return { price, fee }
  }
  const [a = 0n, b = 0n] = decodeWords(data, reservesWords) ?? []
  if (a === 0n || b === 0n) return undefined
  const reserves = isForward ? ([a, b] as const) : ([b, a] as const)
  return { price: { numerator: reserves[1], denominator: reserves[0] }, fee, reserves }
}

/** The output of Uniswap V2 pairs for an amount. All pairs need about the same gas. */
export function quotePairs(hops: readonly Hop[], amount: bigint) {
  let output = amount
  for (const { reserves } of hops) {
    if (reserves === undefined) return undefined
    output = getV2Output(output, reserves)
  }
  return output > 0n ? { output, gas: gasPerPair * BigInt(hops.length) } : undefined
}

/** The output for an amount at the mid price of every pool, minus the pools' fees. */
export function getMidOutput(hops: readonly Hop[], amount: bigint): bigint {
  const million = 1_000_000n
  let [numerator, denominator] = [amount, 1n]
  for (const { price, fee } of hops) {
    numerator *= price.numerator * (million - fee)
    denominator *= price.denominator * million
  }
  return numerator / denominator
}

/**
 * The output of a Uniswap V2 pair for an amount, rounded like its own router does. `reserves` are
 * the reserves of the input and the output token.
 */
function getV2Output(amountIn: bigint, [reserveIn, reserveOut]: readonly [bigint, bigint]): bigint {
  const paid = amountIn * 997n
  return (paid * reserveOut) / (reserveIn * 1_000n + paid)
}
