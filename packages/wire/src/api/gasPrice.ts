import * as z from 'zod/mini'
import type { Route } from './route.ts'

/**
 * `GET /v1/convert/gas-price`: the price of a unit of gas on a network, in wei as decimal strings,
 * by how soon a transaction should be mined.
 */
export const gasPriceRoute = {
  method: 'GET',
  path: '/v1/convert/gas-price',
  query: z.object({ projectId: z.string(), chainId: z.string() }),
  result: z.object({ standard: z.string(), fast: z.string(), instant: z.string() }),
} as const satisfies Route
