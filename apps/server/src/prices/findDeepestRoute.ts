import type { Hex } from '../evm/hex.ts'
import type { Hop, Pool, PricedRoutes } from './findPools.ts'
import type { PoolState } from './poolState.ts'
import { type Price, priceScale } from './price.ts'

/**
 * A pool with fewer dollars than this on the paying side does not count: a small trade would move
 * its price.
 */
const minimumPoolUsd = 1_000n
/** A token's price along a route, the dollars in its shallowest pool, and its pools. */
export type PricedRoute = {
  readonly price: Price
  readonly depthUsd: bigint
  readonly pools: readonly Pool[]
}

/**
 * The route whose shallowest pool is the deepest; undefined if every route has a pool that is too
 * shallow.
 */
export function findDeepestRoute(
  ways: PricedRoutes,
  states: ReadonlyMap<Hex, PoolState>,
): PricedRoute | undefined {
  let best: PricedRoute | undefined
  for (const hops of ways) {
    const way = priceRoute(hops, states)
    if (way !== undefined && (best === undefined || way.depthUsd > best.depthUsd)) best = way
  }
  return best
}

/** Starts with the last step: its price is the value of the paying token of the step before. */
function priceRoute(
  hops: readonly Hop[],
  states: ReadonlyMap<Hex, PoolState>,
): PricedRoute | undefined {
  let way: PricedRoute | undefined
  for (const hop of hops.toReversed()) {
    const paidPrice = way?.price ?? priceScale
    const step = findDeepestPool(hop, { states, paidPrice })
    if (step === undefined) return undefined
    way = {
      price: step.price,
      depthUsd: way !== undefined && way.depthUsd < step.depthUsd ? way.depthUsd : step.depthUsd,
      pools: [step.pool, ...(way?.pools ?? [])],
    }
  }
  return way
}

type Paid = { readonly states: ReadonlyMap<Hex, PoolState>; readonly paidPrice: Price }

function findDeepestPool(hop: Hop, { states, paidPrice }: Paid) {
  let best: { price: Price; depthUsd: bigint; pool: Pool } | undefined
  for (const pool of hop.pools) {
    const state = states.get(pool.address)
    if (state === undefined) continue
    const { price, depthUsd } = priceHop(hop, { state, paidPrice })
    const enough = price > 0n && depthUsd >= minimumPoolUsd * priceScale
    if (enough && (best === undefined || depthUsd > best.depthUsd)) best = { price, depthUsd, pool }
  }
  return best
}

type Paying = { readonly state: PoolState; readonly paidPrice: Price }

/** The price of one hop, rounded down, and the dollars on its paying side. */
function priceHop(
  { token, paid, tokenDecimals, paidDecimals }: Omit<Hop, 'pools'>,
  { state, paidPrice }: Paying,
): { price: Price; depthUsd: bigint } {
  const { numerator, denominator, depth } = state
  const first = token < paid
  const [above, below] = first ? [numerator, denominator] : [denominator, numerator]
  const paidUnit = 10n ** BigInt(paidDecimals)
  const price = (paidPrice * above * 10n ** BigInt(tokenDecimals)) / (below * paidUnit)
  return { price, depthUsd: (depth[first ? 1 : 0] * paidPrice) / paidUnit }
}
