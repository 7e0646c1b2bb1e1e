import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { siwxSession } from './siwx.ts'

/** `GET /v1/siwx/sessions`: the sessions of the same account in the project, the newest first. */
export const siwxSessionsRoute = {
  method: 'GET',
  path: '/v1/siwx/sessions',
  result: z.object({ sessions: z.array(siwxSession) }),
} as const satisfies Route

/** `POST /v1/siwx/revoke`: ends another session of the same account. */
export const siwxRevokeRoute = {
  method: 'POST',
  path: '/v1/siwx/revoke',
  body: z.object({ id: z.string().check(z.maxLength(64)) }),
  result: z.object({ status: z.literal('SUCCESS') }),
} as const satisfies Route
