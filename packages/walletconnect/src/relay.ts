import type { RelayStatus } from './client.ts'
import type { Publish } from './rpc/method.ts'

/** A message as the relay delivers it. */
export type RelayMessage = { topic: string; message: string; tag: number; publishedAtMs: number }

/** One relay, as the protocol above it sees it. */
export type Relay = {
  readonly url: string
  /** Resolves when the relay has the message; tries again with the same id for a minute. Throws RELAY_UNREACHABLE, RELAY_REFUSED, ABORTED. */
  publish(
    message: { topic: string; message: string; signal?: AbortSignal } & Publish,
  ): Promise<void>
  /**
   * A call of the relay's own that publishes and subscribes at once (`wc_proposeSession`, `wc_approveSession`); `topic` is
   * the one it subscribes. Throws as `publish`, and METHOD_NOT_FOUND where the relay is older.
   */
  call(call: {
    method: string
    params: Record<string, unknown>
    topic: string
    signal?: AbortSignal
  }): Promise<void>
  /** Hears of topics from now on, also after each reconnect; resolves when the relay has said yes. */
  subscribe(topics: readonly string[]): Promise<void>
  unsubscribe(topics: readonly string[]): Promise<void>
  status(): RelayStatus
  onStatus(listener: (status: RelayStatus) => void): () => void
  /** What must be added to `now` to have the relay's time: learned when it refuses a token for the clock. Milliseconds. */
  clockOffsetMs(): number
  revive(): void
  close(): void
}

/** Makes the relay of one address. A message is acknowledged when `onMessage` has resolved; when it rejects it comes again. */
export type CreateRelay = (parameters: {
  url: string
  onMessage: (message: RelayMessage) => Promise<void>
}) => Relay
