import type { ChainId } from '@latchkey/wire'
import { encodeFunctionData } from 'viem/utils'
import { decodeUint } from '../evm/decodeResult.ts'
import type { Hex } from '../evm/hex.ts'
import { readContracts } from '../evm/readContracts.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { blockAbi } from './abi.ts'
import { type NewestBlock, readEarlierRatios, readNewestBlock } from './earlierRatios.ts'
import { type Exchange, getExchange } from './exchange.ts'
import { findDeepestRoute, type PricedRoute } from './findDeepestRoute.ts'
import { findPools, type Pool, type PricedRoutes } from './findPools.ts'
import { getPoolReads, type PoolState, parsePoolState, type Ratio } from './poolState.ts'
import { isWithinPercent, priceScale, type Quote } from './price.ts'

export type PriceServices = Pick<Services, 'kv' | 'log' | 'config' | 'clock'> & {
  readonly upstreams: Upstreams
}

/** If the newest block of a chain is older than this, all its prices have lasted long enough. */
const idleChainMs = 60_000
const agreePercent = 5n
/** How long the pools of a token are kept, and a price that counted. */
const poolsSeconds = 600
const countedSeconds = 600

/**
 * Prices of tokens by the pools of the chain's exchanges, along the deepest way to the dollar that holds at least 1 000
 * dollars at each step. A price of a single block never counts: a pool's price must have lasted for three blocks, which holds
 * if nobody has traded in it since, if it is within 5 % of what its own logs said before them (over the last
 * 25 blocks) or of the last accepted price (10 minutes), or if the chain has had no block for a minute. Otherwise the
 * token has no price. Throws RPC_UNAVAILABLE.
 */
export async function readPoolPrices(
  needs: PriceServices,
  { chainId, tokens }: { readonly chainId: ChainId; readonly tokens: readonly Hex[] },
): Promise<Map<Hex, Quote>> {
  const chain = needs.config.chains[chainId]
  const exchange = chain && getExchange(chain)
  if (exchange === undefined || tokens.length === 0) return new Map()
  const source = {
    upstreams: needs.upstreams,
    chainId,
    multicall3: chain?.multicall3 as Hex | undefined,
  }
  const readAll = (reads: Parameters<typeof readContracts>[1]) => readContracts(source, reads)
  const newest = await readNewestBlock(source)
  const ways = await readRoutes(needs, { chainId, exchange, tokens, readAll })
  const pools = unique([...ways.values()].flat(2).flatMap((hop) => hop.pools))
  const reads = pools.map(getPoolReads)
  const answers = await readAll([...reads.flat(), ...blockReads(source)])
  const states = new Map<Hex, PoolState>()
  for (const [index, pool] of pools.entries()) {
    const state = parsePoolState(pool, answers.splice(0, reads[index]?.length ?? 0))
    if (state !== undefined) states.set(pool.address, state)
  }
  const readAt = decodeUint(answers[0])
  const seenAtMs = needs.clock()
  const priced = new Map<Hex, PricedRoute>()
  for (const [token, list] of ways) {
    const best = findDeepestRoute(list, states)
    if (best !== undefined) priced.set(token, best)
  }
  const used = unique([...priced.values()].flatMap(({ pools }) => pools))
  const standing = await findSettledPools(
    { ...needs, chainId },
    { pools: used, states, newest, readAt },
  )
  const prices = new Map<Hex, Quote>()
  if (tokens.includes(exchange.usd))
    prices.set(exchange.usd, { price: priceScale, seenAtMs, source: 'usd' })
  for (const [token, { price, pools }] of priced) {
    const [first] = pools
    if (first !== undefined && pools.every(({ address }) => standing.has(address)))
      prices.set(token, { price, seenAtMs, source: first.kind })
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

/** Asks Multicall3 for the number of the block that is read. */
const blockReads = ({ multicall3 }: { readonly multicall3: Hex | undefined }) =>
  multicall3 === undefined
    ? []
    : [
        {
          to: multicall3,
          data: encodeFunctionData({ abi: blockAbi, functionName: 'getBlockNumber' }),
        },
      ]

/** The pools whose price has lasted, by the rules of {@link readPoolPrices}. */
async function findSettledPools(
  needs: PriceServices & { readonly chainId: ChainId },
  { pools, states, newest, readAt }: JudgedPool,
): Promise<Set<Hex>> {
  if (pools.length === 0) return new Set()
  const { kv, clock, chainId } = needs
  const atRest = clock() - newest.minedAtMs >= idleChainMs
  const earlier = atRest ? undefined : await readEarlierRatios(needs, { pools, newest, readAt })
  const judgements = pools.map(async ({ address }) => {
    const state = states.get(address)
    if (state === undefined) return []
    const now = toFixedPoint(state)
    const key = `counted:${chainId}:${address}`
    const before = earlier?.get(address)
    const known = before === undefined && !atRest ? await kv.get(key) : undefined
    const stood =
      atRest ||
      before === 'still' ||
      (before !== undefined && isWithinPercent(toFixedPoint(before), now, agreePercent)) ||
      (known !== undefined && isWithinPercent(BigInt(known), now, agreePercent))
    if (!stood) return []
    await kv.set(key, String(now), countedSeconds)
    return [address]
  })
  return new Set((await Promise.all(judgements)).flat())
}

/** With enough digits for a token with 36 decimals against one without any. */
const toFixedPoint = ({ numerator, denominator }: Ratio) => (numerator << 256n) / denominator

const unique = (pools: readonly Pool[]) => [
  ...new Map(pools.map((pool) => [pool.address, pool])).values(),
]
