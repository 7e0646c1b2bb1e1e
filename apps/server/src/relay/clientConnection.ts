import type { Mailbox, Message } from './mailbox/mailbox.ts'
import type { Prefix } from './protocol/frames.ts'
import type { Level, Quota, Rate } from './quota/quota.ts'

export type RelayParameters = {
  readonly mailbox: Mailbox
  /** Milliseconds. */
  readonly now: () => number
  /** Frames one socket may send: so many at once, and so many a second. */
  readonly rate?: Rate
  /** Sockets subscribed to one topic at most. */
  readonly socketsPerTopic?: number
  /** Runs a push; at once unless a test wants it later. */
  readonly schedule?: (run: () => void) => void
  /** Largest frame in UTF-16 units. */
  readonly frameMaxLength?: number
  /** Told of failures inside, never of what a message says. */
  readonly report: (error: unknown) => void
  /** Told what becomes of messages, for metrics. */
  readonly count?: (event: RelayEvent) => void
}

/** `full`: refused because there is no room. `expired`: pushed to a client that did not acknowledge it in time. */
export type RelayEvent = 'published' | 'repeated' | 'full' | 'pushed' | 'acknowledged' | 'expired'

/** What the connections of one relay share. */
export type RelayState = Required<RelayParameters> & {
  /** Connections by the topics they hear. */
  readonly connections: ConnectionsByTopic
  /** Connections that subscribed to a crowded topic, first come first: they hear it once there is room. */
  readonly waiting: ConnectionsByTopic
  /** Connections that may not have heard of everything that waits for them. */
  readonly stale: Set<ClientConnection>
  readonly nextPushId: () => number
}

type ConnectionsByTopic = Map<string, Set<ClientConnection>>

/** What the relay needs of a socket. */
export type Peer = {
  /** Proven by its token. */
  readonly clientId: string
  /** What it shares with other sockets. */
  readonly quotas?: readonly Quota[]
  /** Resolves when what was sent is no great backlog: asked between messages that wait in the mailbox. */
  drained?(): Promise<void> | undefined
  /** Must not throw, also when the socket is gone. */
  send(text: string): void
  /** 1013 for too many frames, 1001 when the relay stops. */
  close(code: number, reason: string): void
}

/** A message pushed and not yet acknowledged. */
export type PushedMessage = Pick<Message, 'topic' | 'id' | 'expiresAtMs'> & {
  /** Its place in `copies`. */
  readonly key: string
  readonly pushId: number
  readonly pushedAtMs: number
}

/** What was announced while a backlog is being sent; `more` when not all of it is here. */
export type Backlog = { readonly messages: Message[]; more: boolean }

/** How a topic is heard. `id` of the subscription is known once something was pushed. */
export type TopicSubscription = { readonly prefix: Prefix; id?: string }

/** The state of one connection. */
export type ClientConnection = {
  readonly relay: RelayState
  readonly peer: Peer
  /** Subscribed on this socket, each with the prefix its client used. */
  readonly subscriptions: Map<string, TopicSubscription>
  readonly copies: Map<string, PushedMessage>
  /** The same by the ids of the pushes. */
  readonly pushes: Map<number, PushedMessage>
  /** Topics whose backlog is being sent, with what comes after it. */
  readonly flushing: Map<string, Backlog>
  /** Places of copies acknowledged while backlogs are being sent: what was read from the mailbox before may hold them still. */
  acknowledged: Set<string> | undefined
  readonly openedAtMs: number
  /** What a frame costs a token of: the socket's own bucket and those it shares. */
  readonly levels: readonly { readonly level: Level; readonly rate: Rate }[]
  /** It sent too much: later frames are ignored. */
  refused: boolean
  open: boolean
  /** Of frames that are not done; undefined when all are. */
  queue: Promise<void> | undefined
}

/** Lets a connection hear of `topic`, at once or as soon as there is room. */
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

/** Whether it does not hear `topic` and finds no room there. */
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

/** Whether it was the last one. */
function remove(all: ConnectionsByTopic, topic: string, connection: ClientConnection): boolean {
  const connections = all.get(topic)
  if (!connections?.delete(connection) || connections.size > 0) return false
  return all.delete(topic)
}

/** Whether its quotas have room for `topics`. */
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

/** Ends a connection: it leaves every topic. */
export function endConnection(connection: ClientConnection): void {
  connection.open = false
  connection.relay.stale.delete(connection)
  for (const topic of connection.subscriptions.keys()) leaveTopic(connection, topic)
  connection.copies.clear()
  connection.pushes.clear()
}
