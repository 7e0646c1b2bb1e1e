import { boolean, object, optional } from '../shape.ts'
import type { Method } from './method.ts'
import { done, peer, properties, relay, sessionNamespaces, timestamp } from './shapes.ts'

/** A wallet says what it approved, on the session's topic; it may come before or after its answer to the proposal. */
export const sessionSettle = {
  name: 'wc_sessionSettle',
  request: { tag: 1102, ttl: 300, prompt: false },
  response: { tag: 1103, ttl: 300, prompt: false },
  params: object({
    relay,
    namespaces: sessionNamespaces,
    controller: peer,
    expiry: timestamp,
    sessionProperties: optional(properties),
    scopedProperties: optional(properties),
    sessionConfig: optional(object({ disableDeepLink: optional(boolean) })),
  }),
  result: done,
} as const satisfies Method
