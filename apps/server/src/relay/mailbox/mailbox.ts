import { hash } from 'node:crypto'
import type { Publication } from '../protocol/calls.ts'

/** A message in the mailbox of its topic. `id` is the SHA-256 of its text in hex. */
export type Message = Omit<Publication, 'ttlSeconds'> & {
  readonly id: string
  /** The client that sent it, which never gets it back. */
  readonly publisher: string
  readonly publishedAtMs: number
  readonly expiresAtMs: number
}

/** What is here already or comes later. What is here costs no promise: most messages take this way. */
type Awaitable<T> = T | Promise<T>

/**
 * Messages by topic until they expire, and who has had which; subscriptions by client, which outlive its sockets. In this
 * process, or in Redis for several. Everything in it expires and is bounded.
 */
export type Mailbox = {
  /** Keeps a message. A repeated one changes nothing. Full means that a bound is reached. */
  publish(clientId: string, publication: Publication): Awaitable<Message | 'repeated' | 'full'>
  /**
   * Tells every listener of a message just kept: apart from `publish`, so that the publisher is answered first. To be
   * called for each, whatever became of the answer.
   */
  announce(message: Message): Promise<void> | undefined
  /**
   * Hears what is announced on followed topics. `missed` is called before it hears again when some may have passed
   * unheard: `unseen` knows it, once `follow` has resolved.
   */
  listen(onMessage: (message: Message) => void, onMissed?: () => void): () => void
  /** Resolves when everything that is kept for `topics` from now on will be heard, or called missed. */
  follow(topics: readonly string[]): Promise<void>
  unfollow(topics: readonly string[]): void
  /** Remembers subscriptions, all or none: false when the client has too many. */
  subscribe(clientId: string, topics: readonly string[]): Promise<boolean>
  unsubscribe(clientId: string, topics: readonly string[]): Promise<void>
  readTopics(clientId: string): Promise<readonly string[]>
  /** What the client has not had yet on `topic`, nor sent itself, oldest first. */
  readUnseen(clientId: string, topic: string): Promise<readonly Message[]>
  acknowledge(clientId: string, topic: string, messageId: string): Promise<void> | undefined
  /** Once a second or so: drops what has expired. Never rejects. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/**
 * What surrounds a message counts as so many bytes: its place in the mailbox, a topic of its own, who has had it, and what
 * it takes of quotas, here and in Redis alike. Measured (memoryUsage.test.ts), then rounded up.
 */
export const overheadBytes = 1_536

/** Bytes that a message takes. */
export const getMessageBytes = ({ message, attestation = '' }: Publication) =>
  getTextBytes(message) + getTextBytes(attestation) + overheadBytes

/** A text with a single character beyond ASCII may take two bytes in memory for each of all its characters. */
function getTextBytes(text: string): number {
  const bytes = Buffer.byteLength(text)
  return bytes === text.length ? bytes : Math.max(bytes, 2 * text.length)
}

/** The id of a message, equal for equal texts. */
export const getMessageId = (text: string) => hash('sha256', text)
