import type * as z from 'zod/mini'

/**
 * One call of the API: what goes in and what comes out, parsed on arrival on both sides. A page
 * stays open while its server is updated, so a `result` ignores what it does not know, but in what
 * is signed, sealed, or shown to be approved.
 */
export type Route = {
  readonly method: 'GET' | 'POST'
  /** Path in Hono's form, as `/v1/account/:address/balance`. */
  readonly path: string
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  readonly result: z.ZodMiniType
}
