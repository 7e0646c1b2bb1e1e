import * as z from 'zod/mini'
import type { Route } from '../route.ts'

/**
 * `GET /auth/v1/nonce`, of older clients: a nonce, and in `x-nonce-jwt` the proof that it was
 * issued to this page.
 */
export const hostedNonceRoute = {
  method: 'GET',
  path: '/auth/v1/nonce',
  result: z.object({ nonce: z.string(), token: z.string() }),
} as const satisfies Route

/**
 * `POST /auth/v1/authenticate`: verifies a signed message. `token` has the form of a JWT with the
 * claims of `me`.
 */
export const hostedAuthenticateRoute = {
  method: 'POST',
  path: '/auth/v1/authenticate',
  body: z.object({
    message: z.string().check(z.maxLength(8_000)),
    signature: z.string().check(z.maxLength(20_000)),
  }),
  result: z.object({ token: z.string() }),
} as const satisfies Route

/** The signed-in account. `caip2Network` is the network of the message; times are Unix seconds. */
export const hostedClaims = z.object({
  address: z.string(),
  caip2Network: z.string(),
  chainNamespace: z.string(),
  profileUuid: z.string(),
  iat: z.number(),
  exp: z.number(),
})

/** `GET /auth/v1/me`: the account of the token (`Authorization: Bearer …`). */
export const hostedMeRoute = {
  method: 'GET',
  path: '/auth/v1/me',
  result: hostedClaims,
} as const satisfies Route

/** `POST /auth/v1/sign-out`: ends the session of the token. */
export const hostedSignOutRoute = {
  method: 'POST',
  path: '/auth/v1/sign-out',
  result: z.object({ status: z.literal('SUCCESS') }),
} as const satisfies Route
