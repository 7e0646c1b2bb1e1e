import * as z from 'zod/mini'
import type { Route } from '../route.ts'
import { authHandle } from './auth.ts'

/** Characters of a sealed message, base64url. */
export const maxBoxLength = 200_000

const nothing = z.object({})
const box = z.string().check(z.regex(/^[\w-]+$/), z.maxLength(maxBoxLength))

/**
 * Our frame and our popup, if they cannot reach each other, exchange one question and one response
 * through the server, which cannot read them. `POST /api/rendezvous/offer` stores the question, for
 * ten minutes. The frame chooses the id. Proof. Throws INVALID_PARAMS (the id is taken),
 * LOGIN_THROTTLED.
 */
export const offerRendezvousRoute = {
  method: 'POST',
  path: '/api/rendezvous/offer',
  body: z.object({ id: authHandle, box }),
  result: nothing,
} as const satisfies Route

/**
 * `POST /api/rendezvous/take`: the popup gets the question, once. Waits up to 20 s; then repeat the
 * call. No proof. Throws LOGIN_ENDED.
 */
export const takeRendezvousRoute = {
  method: 'POST',
  path: '/api/rendezvous/take',
  body: z.object({ id: authHandle }),
  result: z.object({ box: z.optional(box) }),
} as const satisfies Route

/** `POST /api/rendezvous/answer`: the popup responds, once. No proof. Throws LOGIN_ENDED. */
export const answerRendezvousRoute = {
  method: 'POST',
  path: '/api/rendezvous/answer',
  body: z.object({ id: authHandle, box }),
  result: nothing,
} as const satisfies Route

/**
 * `POST /api/rendezvous/await`: the frame gets the response, once. Waits up to 20 s; then repeat
 * the call. Proof. Throws LOGIN_ENDED.
 */
export const awaitRendezvousRoute = {
  method: 'POST',
  path: '/api/rendezvous/await',
  body: z.object({ id: authHandle }),
  result: z.object({ box: z.optional(box) }),
} as const satisfies Route
