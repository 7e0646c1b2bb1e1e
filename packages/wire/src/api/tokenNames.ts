import * as z from 'zod/mini'
import type { Route } from './route.ts'
import { dollarPrice } from './simulation.ts'

/** Most addresses that one call may name. */
export const maxNamedTokens = 100

const price = z.object({
  token: z.nullable(z.string().check(z.maxLength(64))),
  usd: dollarPrice,
})
const claim = z.nullable(z.string().check(z.maxLength(80)))

/**
 * What tokens are called, for the secure frame alone, without proof: by the server's lists, else by
 * themselves. Claims: anybody can call a token anything. Tokens of which nothing is known are left
 * out. `prices`: of the native currency, without `token`, and of tokens that the server's lists
 * name; as in a simulation, for people to read only.
 */
export const readTokenNames = {
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
    /** Prices that do not parse are as if there were none. */
    prices: z.catch(z.optional(z.array(price).check(z.maxLength(maxNamedTokens + 1))), undefined),
  }),
} as const satisfies Route
