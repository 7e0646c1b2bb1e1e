import * as z from 'zod/mini'
import type { Route } from './route.ts'

/**
 * A token's price. `price` is in the asked currency and absent where every source is too thin or too old; `updatedAt` is
 * when its source saw it, ISO 8601.
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

/** `POST /v1/fungible/price`: all of `addresses` (CAIP-10, the native currency as 0xeeee…eeee), in their order. */
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
