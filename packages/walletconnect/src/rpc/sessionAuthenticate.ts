import { array, object, optional, string } from '../shape.ts'
import type { RpcMethod } from './method.ts'
import { peer, timestamp } from './shapes.ts'

const payload = {
  domain: string,
  aud: string,
  version: string,
  nonce: string,
  iat: string,
  statement: optional(string),
  exp: optional(string),
  nbf: optional(string),
  requestId: optional(string),
  resources: optional(array(string)),
}

const signed = object({
  h: object({ t: string }),
  p: object({ ...payload, iss: string }),
  s: object({ t: string, s: string, m: optional(string) }),
})

/** The fields to sign, in the form that the app requests. */
export const authPayload = object({ ...payload, type: optional(string), chains: array(string, 1) })

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
  result: object({ cacaos: array(signed, 1), responder: peer }),
} as const satisfies RpcMethod
