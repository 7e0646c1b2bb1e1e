import { z } from 'zod'
import type { Tag } from './relayError.ts'

/**
 * A message to store for `topic`. Fields that clients add for statistics (`tvf`, `approved…`) are
 * dropped on arrival.
 */
export type Publication = {
  readonly topic: string
  readonly message: string
  readonly ttlSeconds: number
  readonly tag: number
  readonly attestation?: string | undefined
}

/**
 * The form in which subscription ids are returned: one id, a list of ids, or a list of `{ id }` and
 * `{ error }`.
 */
export type SubscribeForm = 'one' | 'many' | 'each'

/** A validated request. Several methods of the protocol map to one call. */
export type RelayCall =
  | { readonly name: 'publish'; readonly publications: readonly Publication[] }
  | { readonly name: 'subscribe'; readonly topics: readonly string[]; readonly form: SubscribeForm }
  | { readonly name: 'createTopic'; readonly topic: string }
  | { readonly name: 'unsubscribe'; readonly topics: readonly string[] }
  | { readonly name: 'fetch'; readonly topics: readonly string[] }
  | { readonly name: 'acknowledge'; readonly receipts: readonly Receipt[] }
  | {
      readonly name: 'subscribeAndPublish'
      readonly topic: string
      readonly publications: readonly Publication[]
    }

export type Receipt = { readonly topic: string; readonly messageId: string }

const batchMax = 500
const ttlMaxSeconds = 30 * 86_400
const handshakeTtlSeconds = 300
// Tags of the Sign protocol.
const proposeTag = 1100
const proposeResponseTag = 1101
const settleTag = 1102

const withTag = (tag: Tag) => ({ error: tag })

const topicShape = /^[0-9a-f]{64}$/

const topic = z.string(withTag('InvalidTopic')).regex(topicShape, withTag('InvalidTopic'))
// A ttl above the maximum is reduced, not refused: after an error, clients send the same again for
// a minute.
const ttlSeconds = z
  .number()
  .min(1, withTag('TtlTooShort'))
  .transform((ttl) => Math.min(ttl, ttlMaxSeconds))
const attestation = z.string().nullish()
const batch = <T extends z.ZodType>(entry: T) =>
  z.array(entry).min(1, withTag('BatchEmpty')).max(batchMax, withTag('BatchLimitExceeded'))

const publication = z
  .object({
    topic,
    message: z.string().min(1),
    ttl: ttlSeconds,
    tag: z.int().min(0).default(0),
    attestation,
  })
  .transform((params): Publication => {
    const { topic, message, ttl, tag, attestation } = params
    return { topic, message, ttlSeconds: ttl, tag, ...(attestation && { attestation }) }
  })

/** A fast path for the common form of a publication. Undefined leaves the request to the schema. */
export function plainPublication(params: unknown): Publication | undefined {
  if (typeof params !== 'object' || params === null) return undefined
  const fields: {
    readonly [Key in 'topic' | 'message' | 'ttl' | 'tag' | 'attestation']?: unknown
  } = params
  const { topic, message, ttl, tag } = fields
  if (typeof topic !== 'string' || !topicShape.test(topic)) return undefined
  if (typeof message !== 'string' || message === '') return undefined
  if (typeof ttl !== 'number' || !(ttl >= 1 && ttl <= ttlMaxSeconds)) return undefined
  if (typeof tag !== 'number' || !Number.isSafeInteger(tag) || tag < 0) return undefined
  if (fields.attestation !== undefined) return undefined
  return { topic, message, ttlSeconds: ttl, tag }
}

const subscribe = (form: SubscribeForm) =>
  form === 'one'
    ? z
        .object({ topic })
        .transform(({ topic }): RelayCall => ({ name: 'subscribe', topics: [topic], form }))
    : z
        .object({ topics: batch(topic) })
        .transform(({ topics }): RelayCall => ({ name: 'subscribe', topics, form }))

// The specification has `messageId`, some clients send `message_id`.
const receipt = z
  .object({
    topic,
    messageId: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    message_id: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  })
  .transform((params, context): Receipt => {
    const messageId = params.messageId ?? params.message_id
    if (messageId !== undefined) return { topic: params.topic, messageId }
    context.addIssue({ code: 'custom', message: 'InvalidParams' })
    return z.NEVER
  })

/**
 * Methods that exist under each of the prefixes `irn_`, `iridium_` and `waku_`, with their
 * parameters.
 */
export const prefixedCalls = new Map<string, z.ZodType<RelayCall>>([
  [
    'publish',
    publication.transform((one): RelayCall => ({ name: 'publish', publications: [one] })),
  ],
  [
    'batchPublish',
    z
      .object({ messages: batch(publication) })
      .transform(({ messages }): RelayCall => ({ name: 'publish', publications: messages })),
  ],
  ['subscribe', subscribe('one')],
  ['subscribeBlocking', subscribe('one')],
  ['batchSubscribe', subscribe('many')],
  ['batchSubscribeBlocking', subscribe('each')],
  [
    'unsubscribe',
    z
      .object({ topic })
      .transform(({ topic }): RelayCall => ({ name: 'unsubscribe', topics: [topic] })),
  ],
  [
    'batchUnsubscribe',
    z.object({ subscriptions: batch(z.object({ topic })) }).transform(
      ({ subscriptions }): RelayCall => ({
        name: 'unsubscribe',
        topics: subscriptions.map(({ topic }) => topic),
      }),
    ),
  ],
  [
    'fetchMessages',
    z.object({ topic }).transform(({ topic }): RelayCall => ({ name: 'fetch', topics: [topic] })),
  ],
  [
    'batchFetchMessages',
    z
      .object({ topics: batch(topic) })
      .transform(({ topics }): RelayCall => ({ name: 'fetch', topics })),
  ],
  [
    'batchReceive',
    z
      .object({ receipts: batch(receipt) })
      .transform(({ receipts }): RelayCall => ({ name: 'acknowledge', receipts })),
  ],
])

/** Methods without a prefix. */
export const wholeCalls = new Map<string, z.ZodType<RelayCall>>([
  [
    'wc_createTopic',
    z.object({ topic }).transform(({ topic }): RelayCall => ({ name: 'createTopic', topic })),
  ],
  [
    'wc_proposeSession',
    z
      .object({
        pairingTopic: topic,
        sessionProposal: z.string().min(1),
        ttl: ttlSeconds.default(handshakeTtlSeconds),
        attestation,
      })
      .transform(
        ({ pairingTopic, sessionProposal, ttl, attestation }): RelayCall => ({
          name: 'subscribeAndPublish',
          topic: pairingTopic,
          publications: [
            {
              topic: pairingTopic,
              message: sessionProposal,
              ttlSeconds: ttl,
              tag: proposeTag,
              ...(attestation && { attestation }),
            },
          ],
        }),
      ),
  ],
  [
    'wc_approveSession',
    z
      .object({
        pairingTopic: topic,
        sessionTopic: topic,
        sessionProposalResponse: z.string().min(1),
        sessionSettlementRequest: z.string().min(1),
        ttl: ttlSeconds.default(handshakeTtlSeconds),
      })
      .transform((params): RelayCall => {
        const { pairingTopic, sessionTopic, ttl: ttlSeconds } = params
        const settlement = params.sessionSettlementRequest
        const response = params.sessionProposalResponse
        return {
          name: 'subscribeAndPublish',
          topic: sessionTopic,
          // Publish the settlement first: the response tells the other side where to find it.
          publications: [
            { topic: sessionTopic, message: settlement, ttlSeconds, tag: settleTag },
            { topic: pairingTopic, message: response, ttlSeconds, tag: proposeResponseTag },
          ],
        }
      }),
  ],
])
