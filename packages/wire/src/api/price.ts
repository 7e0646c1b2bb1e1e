import * as z from 'zod/mini'
import type { Route } from './route.ts'

/**
 * A token's price. `price` is in the asked currency and absent where every source is too thin or
 * too old; `updatedAt` is when its source saw it, ISO 8601.
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
 * `POST /v1/fungible/price`: all of `addresses` (CAIP-10, the native currency as 0xeeee…eeee), in
 * their order.
 */
export const fungiblePrice = {
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

/** A price in dollars, and when it was that (ms since 1970). */
export const pricePoint = z.object({ atMs: z.number(), price: z.number() })
export type PricePoint = z.infer<typeof pricePoint>

/**
 * `GET /v1/fungible/history`: what a token (CAIP-10, or `{chainId}:native`) cost during a period
 * until now, the earliest first, 200 points at most. Empty where no source knows earlier prices.
 */
export const fungibleHistory = {
  method: 'GET',
  path: '/v1/fungible/history',
  query: z.object({
    projectId: z.string(),
    address: z.string(),
    period: z.enum(pricePeriods),
  }),
  result: z.object({ points: z.array(pricePoint) }),
} as const satisfies Route

/**
 * `GET /v1/account/{address}/value`: what an account's priced assets on a network were worth during
 * a period until now, the earliest first; null where the network's activity is not followed.
 * `since` (ISO 8601) is the time before which the account's transactions are not known. Only what
 * transactions and token transfers say is counted: native currency that contracts sent is not.
 */
export const accountValue = {
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
