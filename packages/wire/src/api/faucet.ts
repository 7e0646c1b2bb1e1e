import * as z from 'zod/mini'
import type { Route } from './route.ts'

/**
 * `POST /v1/faucet`: has test money sent to an account (CAIP-10) of a test network whose operator
 * names a faucet.
 */
export const faucetRoute = {
  method: 'POST',
  path: '/v1/faucet',
  query: z.object({ projectId: z.string() }),
  body: z.object({ account: z.string().check(z.maxLength(200)) }),
  result: z.object({ status: z.literal('SUCCESS') }),
} as const satisfies Route
