import * as z from 'zod/mini'
import type { Route } from '../route.ts'

/** An account's sign-in on one origin of a project. Times are ISO 8601. */
export const siwxSession = z.object({
  id: z.string(),
  /** CAIP-2: the network that the message was for. */
  chainId: z.string(),
  accountAddress: z.string(),
  origin: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
})
export type SiwxServerSession = z.infer<typeof siwxSession>

const csrfToken = z.optional(z.string())

/**
 * `POST /v1/siwx/nonce`: a nonce for one sign-in on the requesting page, which must have an origin.
 * `issuedAt` is the server's time.
 */
export const siwxNonceRoute = {
  method: 'POST',
  path: '/v1/siwx/nonce',
  result: z.object({ nonce: z.string(), issuedAt: z.string(), expiresAt: z.string() }),
} as const satisfies Route

/**
 * `POST /v1/siwx/verify`: verifies a signed message and opens a session. The session's secret is in
 * the response (`token`) or, only for pages of the server's own site, in an HttpOnly cookie. An
 * error names the field of the message, or `signature`.
 */
export const siwxVerifyRoute = {
  method: 'POST',
  path: '/v1/siwx/verify',
  body: z.object({
    message: z.string().check(z.maxLength(8_000)),
    signature: z.string().check(z.maxLength(20_000)),
    keep: z.optional(z.enum(['token', 'cookie'])),
  }),
  result: z.object({ session: siwxSession, token: z.optional(z.string()), csrfToken }),
} as const satisfies Route

/** `GET /v1/siwx/session`: the session of the token (`Authorization: Bearer …`) or the cookie. */
export const siwxMeRoute = {
  method: 'GET',
  path: '/v1/siwx/session',
  result: z.object({ session: siwxSession, csrfToken }),
} as const satisfies Route

/** `POST /v1/siwx/sign-out`: ends the session. */
export const siwxSignOutRoute = {
  method: 'POST',
  path: '/v1/siwx/sign-out',
  result: z.object({ status: z.literal('SUCCESS') }),
} as const satisfies Route
