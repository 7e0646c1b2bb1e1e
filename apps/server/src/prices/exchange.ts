import type { ChainConfig } from '../config/chainsFile.ts'
import type { Hex } from '../evm/hex.ts'
import { getWrappedNative } from '../evm/wrappedNative.ts'

/**
 * The source of a chain's prices: its exchanges, and the tokens that prices are counted in.
 * Addresses are in lower case.
 */
export type Exchange = {
  readonly wrappedNative: Hex
  readonly usd: Hex
  readonly v2Factory: Hex | undefined
  readonly v3: { readonly factory: Hex; readonly fees: readonly number[] } | undefined
  readonly routes: Readonly<Record<string, readonly Hex[]>>
}

/** Fee tiers of Uniswap V3, in millionths. */
const defaultFees = [100, 500, 3_000, 10_000]

/** The exchange of a chain, if it is configured. */
export function getExchange(chain: ChainConfig): Exchange | undefined {
  const { uniswapV2: v2, uniswapV3: v3, priceRoutes = {} } = chain
  const wrappedNative = getWrappedNative(chain)
  const usd = v3?.usd ?? v2?.usd
  if (wrappedNative === undefined || usd === undefined) return undefined
  const routes = Object.entries(priceRoutes).map(([token, route]) => [
    lower(token),
    route.map(lower),
  ])
  return {
    wrappedNative,
    usd: lower(usd),
    v2Factory: v2 && lower(v2.factory),
    v3: v3 && { factory: lower(v3.factory), fees: v3.fees ?? defaultFees },
    routes: Object.fromEntries(routes),
  }
}

/**
 * The routes from a token to the dollar: as configured, or directly and through the native
 * currency. Each begins with the token.
 */
export function getRoutes({ usd, wrappedNative, routes }: Exchange, token: Hex): Hex[][] {
  if (token === usd) return []
  const route = Object.hasOwn(routes, token) ? routes[token] : undefined
  if (route !== undefined) return [[token, ...route.filter((step) => step !== usd), usd]]
  const direct = [token, usd]
  return token === wrappedNative ? [direct] : [direct, [token, wrappedNative, usd]]
}

const lower = (address: string) => address.toLowerCase() as Hex
