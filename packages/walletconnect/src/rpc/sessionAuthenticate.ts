import { list, object, optional, text } from '../shape.ts'
import type { Method } from './method.ts'
import { peer, timestamp } from './shapes.ts'

const payload = {
  domain: text,
  aud: text,
  version: text,
  nonce: text,
  iat: text,
  statement: optional(text),
  exp: optional(text),
  nbf: optional(text),
  requestId: optional(text),
  resources: optional(list(text)),
}

const signed = object({
  h: object({ t: text }),
  p: object({ ...payload, iss: text }),
  s: object({ t: text, s: text, m: optional(text) }),
})

/** The fields to sign, in the form that the app requests. */
export const authPayload = object({ ...payload, type: optional(text), chains: list(text, 1) })

/**
 * An app's request for signatures that sign a user in (CAIP-122) and, with a ReCap, for a session
 * in the same step.
 */
export const sessionAuthenticate = {
  name: 'wc_sessionAuthenticate',
  request: { tag: 1116, ttl: 3600, prompt: true },
  response: { tag: 1117, ttl: 3600, prompt: false },
  reject: { tag: 1118, ttl: 300, prompt: false },
  autoReject: { tag: 1119, ttl: 300, prompt: false },
  params: object({
    authPayload,
    requester: peer,
    expiryTimestamp: timestamp,
  }),
  result: object({ cacaos: list(signed, 1), responder: peer }),
} as const satisfies Method
