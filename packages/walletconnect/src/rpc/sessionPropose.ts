import { list, object, optional, otherwise } from '../shape.ts'
import type { Method } from './method.ts'
import {
  peer,
  properties,
  proposalNamespaces,
  publicKey,
  relay,
  timestamp,
  topic,
} from './shapes.ts'

/** An app asks for a session, on the pairing's topic. */
export const sessionPropose = {
  name: 'wc_sessionPropose',
  request: { tag: 1100, ttl: 300, prompt: true },
  response: { tag: 1101, ttl: 300, prompt: false },
  reject: { tag: 1120, ttl: 300, prompt: false },
  autoReject: { tag: 1121, ttl: 300, prompt: false },
  params: object({
    requiredNamespaces: otherwise(proposalNamespaces, {}),
    optionalNamespaces: otherwise(proposalNamespaces, {}),
    relays: list(relay),
    proposer: peer,
    expiryTimestamp: optional(timestamp),
    pairingTopic: optional(topic),
    sessionProperties: optional(properties),
    scopedProperties: optional(properties),
  }),
  result: object({ relay, responderPublicKey: publicKey }),
} as const satisfies Method
