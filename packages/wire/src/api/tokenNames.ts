import * as z from 'zod/mini'
import type { Route } from './route.ts'
import { dollarPrice } from './simulation.ts'

/** Maximum number of addresses in one call. */
export const maxNamedTokens = 100

const price = z.object({
  token: z.nullable(z.string().check(z.maxLength(64))),
  usd: dollarPrice,
})
const claim = z.nullable(z.string().check(z.maxLength(80)))

/**
 * Names of tokens, for the secure frame only, without proof. From the server's lists, else from the
 * token. Names are claims: anyone can give a token any name. Unknown tokens are left out. `prices`:
 * of the native currency, without `token`, and of tokens in the server's lists. Only for display,
 * like the prices of a simulation.
 */
export const readTokenNamesRoute = {
  method: 'POST',
  path: '/api/token-names',
  body: z.strictObject({
    chainId: z.string().check(z.regex(/^[a-z0-9-]{3,8}:[-_a-zA-Z0-9]{1,32}$/)),
    addresses: z
      .array(z.string().check(z.minLength(1), z.maxLength(64)))
      .check(z.maxLength(maxNamedTokens)),
  }),
  result: z.object({
    tokens: z.array(z.object({ address: z.string(), name: claim, symbol: claim })),
    /** Prices that do not parse are dropped. */
    prices: z.catch(z.optional(z.array(price).check(z.maxLength(maxNamedTokens + 1))), undefined),
  }),
} as const satisfies Route
