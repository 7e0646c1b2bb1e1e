import type * as z from 'zod/mini'

/**
 * One API call with the schemas of its request and response, parsed on arrival on both sides. A
 * page stays open while its server is updated, so a `result` ignores unknown members, except in
 * data that is signed, sealed, or shown for approval.
 */
export type Route = {
  readonly method: 'GET' | 'POST'
  /** Path in Hono's form, for example `/v1/account/:address/balance`. */
  readonly path: string
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  readonly result: z.ZodMiniType
}
