import type { Bucket, Level } from '../kv/tokenBucket.ts'
import type { Mailbox, Message } from './mailbox/mailbox.ts'
import type { Prefix } from './protocol/messages.ts'
import type { Quota } from './quota/quota.ts'

export type RelayParameters = {
  readonly mailbox: Mailbox
  /** Milliseconds. */
  readonly now: () => number
  /** The rate limit for the frames of one socket: the burst, and the rate per second. */
  readonly rate?: Bucket
  /** The most sockets that may subscribe to one topic. */
  readonly socketsPerTopic?: number
  /** Runs a push, at once unless a test delays it. */
  readonly schedule?: (run: () => void) => void
  /** The largest frame, in UTF-16 units. */
  readonly frameMaxLength?: number
  /** Reports internal failures, never the content of a message. */
  readonly report: (error: unknown) => void
  /** Counts the outcomes of messages, for metrics. */
  readonly count?: (event: RelayEvent) => void
}

/**
 * `full`: refused because the mailbox is full. `expired`: pushed to a client that did not
 * acknowledge it in time.
 */
export type RelayEvent = 'published' | 'repeated' | 'full' | 'pushed' | 'acknowledged' | 'expired'

/** The state that all connections of one relay share. */
export type RelayState = Required<RelayParameters> & {
  /** Connections by the topics they subscribe to. */
  readonly connections: ConnectionsByTopic
  /**
   * Connections that wait for a full topic, in order of arrival. They are subscribed as soon as
   * there is room.
   */
  readonly waiting: ConnectionsByTopic
  /** Connections that may have missed the announcement of messages that wait for them. */
  readonly stale: Set<ClientConnection>
  readonly nextPushId: () => number
}

type ConnectionsByTopic = Map<string, Set<ClientConnection>>

/** The relay's view of a client's socket. */
export type Peer = {
  /** The client's id, proven by its token. */
  readonly clientId: string
  /** The quotas that it shares with other sockets. */
  readonly quotas?: readonly Quota[]
  /** Resolves when the backlog of sent data is small. Awaited between messages from the mailbox. */
  drained?(): Promise<void> | undefined
  /** Must not throw, even if the socket is closed. */
  send(text: string): void
  /** Closes with 1013 for too many frames, and with 1001 when the relay stops. */
  close(code: number, reason: string): void
}

/** A message that was pushed and is not acknowledged yet. */
export type PushedMessage = Pick<Message, 'topic' | 'id' | 'expiresAtMs'> & {
  /** Its key in `copies`. */
  readonly key: string
  readonly pushId: number
  readonly pushedAtMs: number
}

/**
 * Messages announced while a backlog is being sent. `more`: some were dropped here and must be read
 * from the mailbox.
 */
export type Backlog = { readonly messages: Message[]; more: boolean }

/** A subscription to a topic. Its `id` is computed with the first push. */
export type TopicSubscription = { readonly prefix: Prefix; id?: string }

/** The state of one connection. */
export type ClientConnection = {
  readonly relay: RelayState
  readonly peer: Peer
  /** The subscriptions of this socket, each with the method prefix that its client used. */
  readonly subscriptions: Map<string, TopicSubscription>
  readonly copies: Map<string, PushedMessage>
  /** The same copies by the ids of their pushes. */
  readonly pushes: Map<number, PushedMessage>
  /** Topics whose backlog is being sent, with the messages that follow it. */
  readonly flushing: Map<string, Backlog>
  /**
   * Keys of copies acknowledged while backlogs are being sent: a batch read from the mailbox before
   * may still contain them.
   */
  acknowledged: Set<string> | undefined
  readonly openedAtMs: number
  /** The token buckets that each frame takes from: the socket's own and the shared ones. */
  readonly levels: readonly { readonly level: Level; readonly rate: Bucket }[]
  /** The client sent too many frames. Later frames are ignored. */
  refused: boolean
  open: boolean
  /** The unfinished frames. Undefined if all frames are handled. */
  queue: Promise<void> | undefined
}

/** Subscribes a connection to `topic`, at once or as soon as there is room. */
export function attach(connection: ClientConnection, topic: string, prefix: Prefix): void {
  const { relay, subscriptions } = connection
  if (!subscriptions.has(topic))
    for (const quota of connection.peer.quotas ?? []) quota.subscriptions++
  subscriptions.set(topic, { prefix })
  if (relay.connections.get(topic)?.has(connection)) return
  if (hasSocketRoom(relay, topic)) {
    remove(relay.waiting, topic, connection)
    add(relay.connections, topic, connection)
  } else add(relay.waiting, topic, connection)
}

/** Whether the connection is not subscribed to `topic` and the topic is full. */
export const isCrowded = ({ relay, subscriptions }: ClientConnection, topic: string) =>
  !subscriptions.has(topic) && !hasSocketRoom(relay, topic)

/** Whether `topic` has room for one more socket. */
export const hasSocketRoom = ({ connections, socketsPerTopic }: RelayState, topic: string) =>
  (connections.get(topic)?.size ?? 0) < socketsPerTopic

function add(all: ConnectionsByTopic, topic: string, connection: ClientConnection): void {
  const connections = all.get(topic)
  if (connections) connections.add(connection)
  else all.set(topic, new Set([connection]))
}

/** Removes a connection. Returns whether it was the last one. */
function remove(all: ConnectionsByTopic, topic: string, connection: ClientConnection): boolean {
  const connections = all.get(topic)
  if (!connections?.delete(connection) || connections.size > 0) return false
  return all.delete(topic)
}

/** Whether the quotas of the connection have room for `topics`. */
export function hasQuota(
  { subscriptions, peer }: ClientConnection,
  topics: readonly string[],
): boolean {
  const more = new Set(topics.filter((topic) => !subscriptions.has(topic))).size
  return (peer.quotas ?? []).every(
    ({ subscriptions, limits }) => subscriptions + more <= limits.subscriptions,
  )
}

/** Ends the connection's subscription to `topic`. */
export function leaveTopic(connection: ClientConnection, topic: string): void {
  if (connection.subscriptions.delete(topic))
    for (const quota of connection.peer.quotas ?? []) quota.subscriptions--
  const { connections, waiting, mailbox } = connection.relay
  remove(waiting, topic, connection)
  if (remove(connections, topic, connection)) mailbox.unfollow([topic])
}

/** Ends a connection and all its subscriptions. */
export function endConnection(connection: ClientConnection): void {
  connection.open = false
  connection.relay.stale.delete(connection)
  for (const topic of connection.subscriptions.keys()) leaveTopic(connection, topic)
  connection.copies.clear()
  connection.pushes.clear()
}
