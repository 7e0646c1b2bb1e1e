import type { Journal } from './journal.ts'
import type { RpcError, RpcId, RpcResponse } from './jsonRpc.ts'
import type { Records, SentProposalRecord, SessionRecord } from './records.ts'
import type { Relays } from './relay/relays.ts'
import type { MethodName, Publish } from './rpc/method.ts'
import type { PeerMetadata } from './rpc/shapes.ts'

/** A call of this tab that waits for its response. */
type Wait = { resolve(answer: RpcResponse): void; reject(error: unknown): void }

/**
 * A sign-in that this tab waits for. The response is sealed with `key`, which is derived from the
 * sign-in's private key and `sender`.
 */
export type PendingSignIn = {
  relayUrl: string
  privateKey: string
  onAnswer(answer: RpcResponse, sealed: { sender: string; key: string }): Promise<void>
}

/** State and dependencies of both roles. */
export type Engine = {
  readonly role: PeerRole
  readonly metadata: PeerMetadata
  /** The relay of pairings made here. */
  readonly relayUrl: string
  readonly records: Records
  readonly journal: Journal
  readonly relays: Relays
  /** Calls of this tab, by `topic/id`. */
  readonly waits: Map<string, Wait>
  /** Sign-ins that this tab waits for, by the topic of their response. */
  readonly asks: Map<string, PendingSignIn>
  /** Messages that are being sent to a relay, by their id. */
  readonly underway: Set<string>
  /** Messages for topics that are not known yet. */
  readonly pending: Set<{ topic: string; end(isKnown: boolean): void }>
  /** Relays that do not have the `wc_…` calls. */
  readonly olderRelays: Set<string>
  /** The relay's time. */
  nowMs(relayUrl: string): number
  /** A new id, at least a millisecond later than `after`. */
  nextId(relayUrl: string, after?: number): number
  /** Subscribes to exactly the stored topics. */
  syncTopics(): void
  /** Aborted by `close`. */
  readonly signal: AbortSignal
  close(): void
}

/** The kind of a topic, and the key of its messages. */
export type TopicContext = { topic: string; key: string; relayUrl: string } & (
  | { kind: 'session'; record: SessionRecord }
  | { kind: 'pairing' }
  | { kind: 'ask'; signIn: PendingSignIn }
  | { kind: 'candidate'; proposal: SentProposalRecord; publicKey: string }
)

/** An incoming request with unparsed params. */
export type Inbound = { place: Exclude<TopicContext, { kind: 'ask' }>; id: RpcId; params: unknown }

/**
 * The response, and how to publish it if not as usual. A peer that does not wait gets no response.
 */
export type Reply = ({ result: unknown } | { error: RpcError }) & { publish?: Publish }

/** Handles a request of one method. */
type Handle = (engine: Engine, inbound: Inbound) => Reply | undefined | Promise<Reply | undefined>

/**
 * One role's handlers for incoming messages, by kind of topic. Methods of the other role are
 * ignored.
 */
export type PeerRole = {
  readonly requests: {
    readonly [Kind in Exclude<TopicContext['kind'], 'ask'>]: Partial<Record<MethodName, Handle>>
  }
  readonly answer: (
    engine: Engine,
    place: Inbound['place'],
    answer: RpcResponse,
  ) => void | Promise<void>
  /** Reports again to this tab what is pending on a pairing. */
  readonly remind?: (engine: Engine, pairingTopic: string) => void
}
