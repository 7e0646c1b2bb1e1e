import * as z from 'zod/mini'
import type { Route } from './route.ts'

/**
 * `POST /v1/bundler`: one JSON-RPC call; for `pm_getPaymasterStubData` (ERC-7677), pages only read
 * whether the response has a result.
 */
export const bundlerRoute = {
  method: 'POST',
  path: '/v1/bundler',
  query: z.object({ projectId: z.string(), chainId: z.string() }),
  body: z.object({
    jsonrpc: z.literal('2.0'),
    id: z.number(),
    method: z.string(),
    params: z.array(z.unknown()),
  }),
  result: z.object({ result: z.optional(z.unknown()), error: z.optional(z.unknown()) }),
} as const satisfies Route
