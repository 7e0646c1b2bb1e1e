import * as z from 'zod/mini'
import type { Method } from './method.ts'
import { peer, timestamp } from './shapes.ts'

const payload = {
  domain: z.string(),
  aud: z.string(),
  version: z.string(),
  nonce: z.string(),
  iat: z.string(),
  statement: z.optional(z.string()),
  exp: z.optional(z.string()),
  nbf: z.optional(z.string()),
  requestId: z.optional(z.string()),
  resources: z.optional(z.array(z.string())),
}

const signed = z.object({
  h: z.object({ t: z.string() }),
  p: z.object({ ...payload, iss: z.string() }),
  s: z.object({ t: z.string(), s: z.string(), m: z.optional(z.string()) }),
})

/** An app asks for signatures that sign a person in (CAIP-122) and, with a ReCap, for a session at once. */
export const sessionAuthenticate = {
  name: 'wc_sessionAuthenticate',
  request: { tag: 1116, ttl: 3600, prompt: true },
  response: { tag: 1117, ttl: 3600, prompt: false },
  reject: { tag: 1118, ttl: 300, prompt: false },
  autoReject: { tag: 1119, ttl: 300, prompt: false },
  params: z.object({
    authPayload: z.object({
      ...payload,
      type: z.optional(z.string()),
      chains: z.array(z.string()).check(z.minLength(1)),
    }),
    requester: peer,
    expiryTimestamp: timestamp,
  }),
  result: z.object({ cacaos: z.array(signed).check(z.minLength(1)), responder: peer }),
} as const satisfies Method
