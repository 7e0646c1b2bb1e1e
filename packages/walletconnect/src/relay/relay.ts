import type { RelayStatus } from '../client.ts'
import type { KeyPair } from '../crypto/curve.ts'
import type { Publish } from '../rpc/method.ts'

/** A message as the relay delivers it. */
export type RelayMessage = { topic: string; message: string; tag: number; publishedAtMs: number }

/** A relay as the protocol uses it. */
export type Relay = {
  readonly url: string
  /** The topics that it is subscribed to or asks for. */
  readonly topics: ReadonlySet<string>
  /**
   * Resolves when the relay has the message; tries again with the same id for a minute. Throws
   * RELAY_UNREACHABLE, RELAY_REFUSED (repeating it would not help), ABORTED, and while the status
   * is `refused` its error.
   */
  publish(
    message: { topic: string; message: string; signal?: AbortSignal } & Publish,
  ): Promise<void>
  /**
   * A call of the relay's own that publishes and subscribes at once (`wc_proposeSession`,
   * `wc_approveSession`); `topic` is the one it subscribes. Throws as `publish`, and
   * METHOD_NOT_FOUND where the relay is older.
   */
  call(call: {
    method: string
    params: Record<string, unknown>
    topic: string
    signal?: AbortSignal
  }): Promise<void>
  /**
   * Subscribes to topics from now on, also after each reconnect; resolves when the relay has
   * confirmed it. Throws as `publish`: after RELAY_UNREACHABLE it keeps asking; refused topics are
   * removed from `topics`.
   */
  subscribe(topics: readonly string[]): Promise<void>
  /**
   * Ends the subscription to topics. Never rejects: a relay that misses this only sends messages
   * that are ignored.
   */
  unsubscribe(topics: readonly string[]): Promise<void>
  status(): RelayStatus
  onStatus(listener: (status: RelayStatus) => void): () => void
  /**
   * What must be added to `now` to have the relay's time: learned when it refuses a token for the
   * clock. Milliseconds.
   */
  clockOffsetMs(): number
  /**
   * The page is visible or online again: checks the socket or connects at once, also after a
   * refusal.
   */
  revive(): void
  /** Pending calls reject with ABORTED. */
  close(): void
}

/**
 * Makes the relay of one address; nothing is dialled before a topic or a call needs it. `identity`
 * is the Ed25519 key of {@link generateIdentity}: it names the mailbox, so all tabs of one origin
 * use the same one. A message is acknowledged when `onMessage` has resolved; when it rejects it
 * comes again. Messages of one topic are handed over one after another.
 */
export type CreateRelay = (parameters: RelayParameters) => Relay

export type RelayParameters = {
  /** As configured; a query in it is kept. */
  url: string
  projectId?: string
  identity: KeyPair
  /** Milliseconds; may be wrong by days. */
  now: () => number
  /** The platform's, where it has one. */
  WebSocket?: typeof WebSocket
  onMessage: (message: RelayMessage) => Promise<void>
}
