import { decodeFunctionResult, encodeFunctionData } from 'viem/utils'
import type { ChainConfig } from '../config.ts'
import { erc20Abi, poolAbi } from './abi.ts'
import type { Read } from './readMany.ts'
import { readUint } from './readUint.ts'

type Hex = `0x${string}`
export type Exchange = {
  readonly factory: Hex
  readonly wrappedNative: Hex
  readonly usd: Hex
}

/** A price in US dollars times 10^18. */
export type Price = bigint
export const priceScale = 10n ** 18n

/** A pool in which less than this many dollars lie on the paying side is no source: a trifle would move its price. */
const minimumPoolUsd = 1_000n

const nothing = /^0x0{40}$/

/** The exchange of a chain, if it is configured. */
export const exchangeOf = ({ uniswapV2 }: ChainConfig): Exchange | undefined =>
  uniswapV2 && {
    factory: uniswapV2.factory as Hex,
    wrappedNative: uniswapV2.wrappedNative as Hex,
    usd: uniswapV2.usd as Hex,
  }

/** First round of reads: the dollar's decimals, the native pool's address, then each token's pool's. */
export function poolReads(exchange: Exchange, tokens: readonly Hex[]): Read[] {
  const pair = (token: Hex, other: Hex): Read => ({
    to: exchange.factory,
    data: encodeFunctionData({ abi: poolAbi, functionName: 'getPair', args: [token, other] }),
  })
  return [
    { to: exchange.usd, data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }) },
    pair(exchange.wrappedNative, exchange.usd),
    ...tokens.map((token) => pair(token, exchange.wrappedNative)),
  ]
}

/** A pool's address from what `getPair` returned; undefined where there is none. */
export function poolAddress(data: Hex | undefined): Hex | undefined {
  if (data === undefined || data.length !== 66) return undefined
  const address: Hex = `0x${data.slice(26)}`
  return nothing.test(address) ? undefined : address
}

/** Second round: what lies in a pool. */
export const reservesRead = (pool: Hex): Read => ({
  to: pool,
  data: encodeFunctionData({ abi: poolAbi, functionName: 'getReserves' }),
})

type Side = { readonly address: Hex; readonly decimals: number }

/**
 * The price of `token` by the reserves of its pool with `paid`, whose own price is `paidPrice`. Undefined when the
 * answer is garbage, a side is empty, or the pool holds less than {@link minimumPoolUsd}.
 */
export function poolPrice(
  reserves: Hex | undefined,
  { token, paid, paidPrice }: { token: Side; paid: Side; paidPrice: Price | undefined },
): Price | undefined {
  const [first, second] = decodeReserves(reserves) ?? []
  if (!first || !second || paidPrice === undefined) return undefined
  // Pools sort their two tokens by address.
  const tokenFirst = token.address.toLowerCase() < paid.address.toLowerCase()
  const [tokenReserve, paidReserve] = tokenFirst ? [first, second] : [second, first]
  const paidUsd = (paidReserve * paidPrice) / 10n ** BigInt(paid.decimals)
  if (paidUsd < minimumPoolUsd * priceScale) return undefined
  const price = (paidUsd * 10n ** BigInt(token.decimals)) / tokenReserve
  return price === 0n ? undefined : price
}

function decodeReserves(data: Hex | undefined): readonly [bigint, bigint, number] | undefined {
  if (data === undefined) return undefined
  try {
    return decodeFunctionResult({ abi: poolAbi, functionName: 'getReserves', data })
  } catch {
    return undefined
  }
}

/** The dollar token's decimals; undefined when it answers nonsense. */
export function readDecimals(data: Hex | undefined): number | undefined {
  const decimals = readUint(data)
  return decimals !== undefined && decimals <= 36n ? Number(decimals) : undefined
}
