import * as z from 'zod/mini'
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
  params: z.object({
    requiredNamespaces: z._default(proposalNamespaces, {}),
    optionalNamespaces: z._default(proposalNamespaces, {}),
    relays: z.array(relay),
    proposer: peer,
    expiryTimestamp: z.optional(timestamp),
    pairingTopic: z.optional(topic),
    sessionProperties: z.optional(properties),
    scopedProperties: z.optional(properties),
  }),
  result: z.object({ relay, responderPublicKey: publicKey }),
} as const satisfies Method
