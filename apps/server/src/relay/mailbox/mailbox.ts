import { hash } from 'node:crypto'
import type { Publication } from '../protocol/calls.ts'

/** A message in the mailbox of its topic. `id` is the SHA-256 of its text in hex. */
export type Message = Omit<Publication, 'ttlSeconds'> & {
  readonly id: string
  /** The client that published the message. It never receives it. */
  readonly publisher: string
  readonly publishedAtMs: number
  readonly expiresAtMs: number
}

/**
 * A value that is available now or later. Most messages take the synchronous path and need no
 * promise.
 */
type Awaitable<T> = T | Promise<T>

/**
 * Stores messages by topic until they expire, which client has received which, and the
 * subscriptions of each client, which outlive its sockets. In this process, or in Redis for
 * several. Everything in it expires and is bounded.
 */
export type Mailbox = {
  /** Stores a message. A repeated message changes nothing. `full` means that a limit is reached. */
  publish(clientId: string, publication: Publication): Awaitable<Message | 'repeated' | 'full'>
  /**
   * Announces a stored message to all listeners. Separate from `publish`, so that the publisher is
   * answered first. Call it for each message, even if the publisher's response failed.
   */
  announce(message: Message): Promise<void> | undefined
  /**
   * Listens to the announcements on followed topics. `missed` is called if some announcements may
   * have been lost, before new ones arrive: `unseen` returns those messages once `follow` has
   * resolved.
   */
  listen(onMessage: (message: Message) => void, onMissed?: () => void): () => void
  /**
   * Resolves when every message stored for `topics` from now on will be announced or reported as
   * missed.
   */
  follow(topics: readonly string[]): Promise<void>
  unfollow(topics: readonly string[]): void
  /** Stores subscriptions, all or none. Returns false if the client has too many. */
  subscribe(clientId: string, topics: readonly string[]): Promise<boolean>
  unsubscribe(clientId: string, topics: readonly string[]): Promise<void>
  readTopics(clientId: string): Promise<readonly string[]>
  /** Messages on `topic` that the client neither received nor published, oldest first. */
  readUnseen(clientId: string, topic: string): Promise<readonly Message[]>
  acknowledge(clientId: string, topic: string, messageId: string): Promise<void> | undefined
  /** Drops expired messages. Call it about once a second. Never rejects. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/**
 * The overhead of a message in bytes, in this process and in Redis: its entry in the mailbox, a
 * separate topic, its receivers and its quota entries. Measured by memoryUsage.test.ts and rounded
 * up.
 */
export const overheadBytes = 1_536

/** The number of bytes that a message occupies. */
export const getMessageBytes = ({ message, attestation = '' }: Publication) =>
  getTextBytes(message) + getTextBytes(attestation) + overheadBytes

/**
 * A single character beyond ASCII may make a string take two bytes of memory for every character.
 */
function getTextBytes(text: string): number {
  const bytes = Buffer.byteLength(text)
  return bytes === text.length ? bytes : Math.max(bytes, 2 * text.length)
}

/** The id of a message. Equal messages have equal ids. */
export const getMessageId = (text: string) => hash('sha256', text)
