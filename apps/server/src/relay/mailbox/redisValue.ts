import type { Publication } from '../protocol/calls.ts'
import type { Message } from './mailbox.ts'

/**
 * The part of a message's value in Redis that comes from the publisher:
 * `<tag> <length of attestation> <attestation><text>`.
 */
export function encodeRest(
  publication: Pick<Publication, 'tag' | 'attestation' | 'message'>,
): string {
  const { tag, attestation = '', message } = publication
  return `${tag} ${attestation.length} ${attestation}${message}`
}

/**
 * Parses a message of `topic` from its value in Redis (see redisScripts.ts). Also returns its
 * sequence number in the topic.
 */
export function decodeValue(topic: string, id: string, value: string): Message & NumberedMessage {
  const head = /^(\d+) (\d+) (\S+) (\d+) (\d+) (\d+) /.exec(value)
  if (!head) throw new Error('A value in Redis is not a message of the relay')
  const [whole, expiresAt, publishedAt, publisher = '', number, tag, attestationLength] = head
  const textAt = whole.length + Number(attestationLength)
  const attestation = value.slice(whole.length, textAt)
  return {
    topic,
    id,
    publisher,
    message: value.slice(textAt),
    tag: Number(tag),
    ...(attestation && { attestation }),
    publishedAtMs: Number(publishedAt),
    expiresAtMs: Number(expiresAt),
    number: Number(number),
  }
}

type NumberedMessage = { readonly number: number }
