import type { RelayStatus } from '../client.ts'
import type { KeyPair } from '../crypto/curve.ts'
import type { Publish } from '../rpc/method.ts'

/** A message that the relay delivers. */
export type RelayMessage = { topic: string; message: string; tag: number; publishedAtMs: number }

/** A relay as the protocol uses it. */
export type RelayClient = {
  readonly url: string
  /** The topics that the client is subscribed to or wants to subscribe to. */
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
   * A call that publishes and subscribes at once (`wc_proposeSession`, `wc_approveSession`).
   * `topic` is the topic to subscribe to. Throws the errors of `publish`, and METHOD_NOT_FOUND if
   * the relay is too old for the call.
   */
  call(call: {
    method: string
    params: Record<string, unknown>
    topic: string
    signal?: AbortSignal
  }): Promise<void>
  /**
   * Subscribes to topics from now on, also after each reconnect; resolves when the relay has
   * confirmed it. Throws the errors of `publish`. Keeps trying after RELAY_UNREACHABLE; refused
   * topics are removed from `topics`.
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
   * The difference between the relay's time and `now`, in milliseconds. The client learns it when
   * the relay refuses a token because of the clock.
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
 * Creates the client of the relay at one address. It does not connect before a topic or a call
 * needs it. `identity` is the Ed25519 key of {@link generateIdentity}: it names the mailbox, so all
 * tabs of one origin use the same one. A message is acknowledged when `onMessage` resolves; if it
 * rejects, the relay sends the message again. Messages of one topic are delivered one after
 * another.
 */
export type CreateRelay = (parameters: RelayClientParameters) => RelayClient

export type RelayClientParameters = {
  /** The configured address; its query is kept. */
  url: string
  projectId?: string
  identity: KeyPair
  /** The time in milliseconds; may be wrong by days. */
  now: () => number
  /** Default: the platform's `WebSocket`, if available. */
  WebSocket?: typeof WebSocket
  onMessage: (message: RelayMessage) => Promise<void>
}
