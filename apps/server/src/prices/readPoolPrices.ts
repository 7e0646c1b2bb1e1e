import type { ChainId } from '@latchkey/wire'
import { encodeFunctionData } from 'viem/utils'
import { decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { readContracts } from '../evm/readContracts.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { blockAbi } from './abi.ts'
import { type Exchange, getExchange } from './exchange.ts'
import { findDeepestRoute, type PricedRoute } from './findDeepestRoute.ts'
import { findPools, type Pool, type PricedRoutes } from './findPools.ts'
import { getPoolReads, type PoolState, parsePoolState, type Ratio } from './poolState.ts'
import { isWithinPercent, priceScale, type Quote } from './price.ts'
import { type NewestBlock, readNewestBlock, readRecentPoolPrices } from './readRecentPoolPrices.ts'

export type PriceServices = Pick<Services, 'kv' | 'log' | 'config' | 'clock'> & {
  readonly upstreams: Upstreams
}

/** If the newest block of a chain is older than this, all its prices have lasted long enough. */
const idleChainMs = 60_000
const agreePercent = 5n
/** How long to cache the pools of a token, and an accepted price. */
const poolsSeconds = 600
const acceptedSeconds = 600

/**
 * Prices of tokens from the pools of the chain's exchanges, along the deepest route to the dollar
 * that holds at least 1 000 dollars at each step. A price of a single block never counts: each
 * pool's price must have lasted for three blocks. It has if there was no trade in the pool since
 * then, if it is within 5 % of the price in the pool's own logs before then (over the last 25
 * blocks), or if the chain has had no block for a minute. If a pool's logs do not show a price, the
 * token's price must be within 5 % of the last accepted price, from any pools (10 minutes).
 * Otherwise the token has no price. Throws RPC_UNAVAILABLE.
 */
export async function readPoolPrices(
  deps: PriceServices,
  { chainId, tokens }: { readonly chainId: ChainId; readonly tokens: readonly Hex[] },
): Promise<Map<Hex, Quote>> {
  const chain = deps.config.chains[chainId]
  const exchange = chain && getExchange(chain)
  if (exchange === undefined || tokens.length === 0) return new Map()
  const source = {
    upstreams: deps.upstreams,
    chainId,
    multicall3: chain?.multicall3 as Hex | undefined,
  }
  const readAll = (reads: Parameters<typeof readContracts>[1]) => readContracts(source, reads)
  const newest = await readNewestBlock(source)
  const ways = await readRoutes(deps, { chainId, exchange, tokens, readAll })
  const pools = unique([...ways.values()].flat(2).flatMap((hop) => hop.pools))
  const reads = pools.map(getPoolReads)
  const answers = await readAll([...reads.flat(), ...blockReads(source)])
  const states = new Map<Hex, PoolState>()
  for (const [index, pool] of pools.entries()) {
    const state = parsePoolState(pool, answers.splice(0, reads[index]?.length ?? 0))
    if (state !== undefined) states.set(pool.address, state)
  }
  const readAt = decodeUint(answers[0])
  const seenAtMs = deps.clock()
  const priced = new Map<Hex, PricedRoute>()
  for (const [token, list] of ways) {
    const best = findDeepestRoute(list, states)
    if (best !== undefined) priced.set(token, best)
  }
  const used = unique([...priced.values()].flatMap(({ pools }) => pools))
  const lasted = await judgePools({ ...deps, chainId }, { pools: used, states, newest, readAt })
  const accepted = await acceptPrices({ ...deps, chainId }, { priced, lasted })
  const prices = new Map<Hex, Quote>()
  if (tokens.includes(exchange.usd))
    prices.set(exchange.usd, { price: priceScale, seenAtMs, source: 'usd' })
  for (const [token, { price, pools }] of accepted) {
    const [first] = pools
    if (first !== undefined) prices.set(token, { price, seenAtMs, source: first.kind })
  }
  return prices
}

type Search = {
  readonly chainId: ChainId
  readonly exchange: Exchange
  readonly tokens: readonly Hex[]
  readonly readAll: Parameters<typeof findPools>[2]
}

async function readRoutes(
  { kv }: PriceServices,
  { chainId, exchange, tokens, readAll }: Search,
): Promise<Map<Hex, PricedRoutes>> {
  const toKey = (token: Hex) => `pools:${chainId}:${token}`
  const known = await kv.getMany(tokens.map(toKey))
  const ways = new Map<Hex, PricedRoutes>()
  const unknown: Hex[] = []
  for (const [index, token] of tokens.entries()) {
    const text = known[index]
    if (text === undefined) unknown.push(token)
    else ways.set(token, JSON.parse(text))
  }
  if (unknown.length === 0) return ways
  const found = await findPools(exchange, unknown, readAll)
  const writes = [...found].map(([token, list]) => {
    ways.set(token, list)
    return kv.set(toKey(token), JSON.stringify(list), poolsSeconds)
  })
  await Promise.all(writes)
  return ways
}

type JudgedPool = {
  readonly pools: readonly Pool[]
  readonly states: ReadonlyMap<Hex, PoolState>
  readonly newest: NewestBlock
  /** The block of the states, if Multicall3 returned it. */
  readonly readAt: bigint | undefined
}

/** Reads the number of the block from Multicall3. */
const blockReads = ({ multicall3 }: { readonly multicall3: Hex | undefined }) =>
  multicall3 === undefined
    ? []
    : [
        {
          to: multicall3,
          data: encodeFunctionData({ abi: blockAbi, functionName: 'getBlockNumber' }),
        },
      ]

/**
 * By pool, whether its price has lasted for three blocks or for a minute; undefined if its logs do
 * not show it.
 */
async function judgePools(
  deps: PriceServices & { readonly chainId: ChainId },
  { pools, states, newest, readAt }: JudgedPool,
): Promise<Map<Hex, boolean | undefined>> {
  if (pools.length === 0) return new Map()
  if (deps.clock() - newest.minedAtMs >= idleChainMs)
    return new Map(pools.map(({ address }) => [address, true]))
  const earlier = await readRecentPoolPrices(deps, { pools, newest, readAt })
  const hasLasted = (address: Hex) => {
    const [before, state] = [earlier.get(address), states.get(address)]
    if (before === 'still') return true
    if (before === undefined || state === undefined) return undefined
    return isWithinPercent(toFixedPoint(before), toFixedPoint(state), agreePercent)
  }
  return new Map(pools.map(({ address }) => [address, hasLasted(address)]))
}

type Judged = {
  readonly priced: ReadonlyMap<Hex, PricedRoute>
  readonly lasted: ReadonlyMap<Hex, boolean | undefined>
}

/**
 * The prices that count by the rules of {@link readPoolPrices}; each is kept as the last accepted
 * price.
 */
async function acceptPrices(
  { kv, chainId }: PriceServices & { readonly chainId: ChainId },
  { priced, lasted }: Judged,
): Promise<[Hex, PricedRoute][]> {
  const toKey = (token: Hex) => `accepted:${chainId}:${token}`
  const accepted: [Hex, PricedRoute][] = []
  const unclear: [Hex, PricedRoute][] = []
  for (const [token, route] of priced) {
    const verdicts = route.pools.map(({ address }) => lasted.get(address))
    if (verdicts.every((verdict) => verdict === true)) accepted.push([token, route])
    else if (!verdicts.includes(false)) unclear.push([token, route])
  }
  const earlier = await kv.getMany(unclear.map(([token]) => toKey(token)))
  for (const [index, entry] of unclear.entries()) {
    const before = earlier[index]
    if (before !== undefined && isWithinPercent(BigInt(before), entry[1].price, agreePercent))
      accepted.push(entry)
  }
  await Promise.all(
    accepted.map(([token, { price }]) => kv.set(toKey(token), String(price), acceptedSeconds)),
  )
  return accepted
}

/** Precise enough for a token with 36 decimals against a token without decimals. */
const toFixedPoint = ({ numerator, denominator }: Ratio) => (numerator << 256n) / denominator

const unique = (pools: readonly Pool[]) => [
  ...new Map(pools.map((pool) => [pool.address, pool])).values(),
]
