import * as z from 'zod/mini'
import type { Route } from './route.ts'

/**
 * A token's price. `price` is in the requested currency, and undefined if every source is too
 * illiquid or too old; `updatedAt` is the time of the source's price, ISO 8601.
 */
export const fungible = z.object({
  address: z.string(),
  name: z.string(),
  symbol: z.string(),
  iconUrl: z.string(),
  price: z.optional(z.number()),
  updatedAt: z.optional(z.string()),
  decimals: z.number(),
})
export type Fungible = z.infer<typeof fungible>

/**
 * `POST /v1/fungible/price`: prices for all of `addresses` (CAIP-10; the native currency is
 * 0xeeee…eeee), in the same order.
 */
export const fungiblePriceRoute = {
  method: 'POST',
  path: '/v1/fungible/price',
  body: z.object({
    projectId: z.string(),
    currency: z._default(z.string(), 'usd'),
    addresses: z.array(z.string()),
  }),
  result: z.object({ fungibles: z.array(fungible) }),
} as const satisfies Route

export const pricePeriods = ['day', 'week', 'month', 'year'] as const
export type PricePeriod = (typeof pricePeriods)[number]

/** A calendar year in UTC, with four digits. */
export type PriceYear = `20${string}`
const priceYear = z.string().check(z.regex(/^20\d\d$/)) as z.ZodMiniType<PriceYear, string>

/** A price in dollars and its time (ms since 1970). */
export const pricePoint = z.object({ atMs: z.number(), price: z.number() })
export type PricePoint = z.infer<typeof pricePoint>

/**
 * `GET /v1/fungible/history`: the prices of a token (CAIP-10, or `{chainId}:native`) during a
 * period until now, or one for each day of a calendar year. The earliest comes first, and there are
 * 400 points at most. An empty list if no source has earlier prices.
 */
export const fungibleHistoryRoute = {
  method: 'GET',
  path: '/v1/fungible/history',
  query: z.object({
    projectId: z.string(),
    address: z.string(),
    period: z.union([z.enum(pricePeriods), priceYear]),
  }),
  result: z.object({ points: z.array(pricePoint) }),
} as const satisfies Route

/**
 * `GET /v1/account/{address}/value`: the value of an account's priced assets on a network during a
 * period until now, the earliest first; null if the network's activity is not indexed. `since` (ISO
 * 8601): earlier transactions of the account are not known. Counts only transactions and token
 * transfers, not native currency that contracts sent.
 */
export const accountValueRoute = {
  method: 'GET',
  path: '/v1/account/:address/value',
  query: z.object({
    projectId: z.string(),
    chainId: z.string(),
    period: z.enum(pricePeriods),
  }),
  result: z.object({
    points: z.nullable(z.array(pricePoint)),
    since: z.nullable(z.string()),
  }),
} as const satisfies Route
