import * as z from 'zod/mini'
import type { Route } from './route.ts'

/**
 * One token an account holds. `quantity.numeric` is an exact decimal string in whole tokens,
 * `price` and `value` are in the requested currency and undefined if no source has a price.
 * `priceUpdatedAt` is the time of the price, ISO 8601. `priceChange` is its change over 24 hours in
 * percent, undefined if it is not known quickly. A native balance has no `address`. A token without
 * a name has no `name` and `symbol`: both are parsed as empty strings.
 */
export const balanceEntry = z.object({
  name: z._default(z.string(), ''),
  symbol: z._default(z.string(), ''),
  chainId: z.optional(z.string()),
  address: z.optional(z.string()),
  value: z.optional(z.number()),
  price: z.optional(z.number()),
  priceUpdatedAt: z.optional(z.string()),
  priceChange: z.optional(z.number()),
  quantity: z.object({ decimals: z.string(), numeric: z.string() }),
  iconUrl: z.string(),
})
export type Balance = z.infer<typeof balanceEntry>

/**
 * `GET /v1/account/{address}/balance`: native first, entries with `decimals` `0` left out. Without
 * `chainId` it returns the balances on all networks of the address's namespace; `unavailable` lists
 * the networks that could not be read completely.
 */
export const accountBalanceRoute = {
  method: 'GET',
  path: '/v1/account/:address/balance',
  query: z.object({
    projectId: z.string(),
    currency: z._default(z.string(), 'usd'),
    chainId: z.optional(z.string()),
    forceUpdate: z.optional(z.string()),
  }),
  result: z.object({
    balances: z.array(balanceEntry),
    unavailable: z.optional(z.array(z.string())),
  }),
} as const satisfies Route

/** `GET /v1/account/{address}/portfolio`: which tokens an account holds; `id` is CAIP-10. */
export const accountPortfolioRoute = {
  method: 'GET',
  path: '/v1/account/:address/portfolio',
  query: z.object({
    projectId: z.string(),
    currency: z._default(z.string(), 'usd'),
    chainId: z.optional(z.string()),
  }),
  result: z.object({
    data: z.array(z.object({ id: z.string(), name: z.string(), symbol: z.string() })),
  }),
} as const satisfies Route
