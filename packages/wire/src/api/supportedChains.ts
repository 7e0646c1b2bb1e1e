import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** `GET /v1/supported-chains`: CAIP-2 ids that the server's chain RPC answers for. */
export const supportedChains = {
  method: 'GET',
  path: '/v1/supported-chains',
  result: z.object({ http: z.array(z.string()), ws: z.array(z.string()) }),
} as const satisfies Route
