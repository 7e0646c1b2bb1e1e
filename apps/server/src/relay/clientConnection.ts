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

/** `full`: refused for want of room. `expired`: was pushed to somebody who did not acknowledge it in time. */
export type RelayEvent = 'published' | 'repeated' | 'full' | 'pushed' | 'acknowledged' | 'expired'

/** What the connections of one relay share. */
export type RelayState = Required<RelayParameters> & {
  /** Connections by the topics they hear. */
  readonly lines: Lines
  /** Connections that subscribed to a crowded topic, first come first: they hear it once there is room. */
  readonly waiting: Lines
  /** Connections that may not have heard of everything that waits for them. */
  readonly stale: Set<Line>
  readonly nextPushId: () => number
}

type Lines = Map<string, Set<Line>>

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
export type Copy = Pick<Message, 'topic' | 'id' | 'expiresAtMs'> & {
  /** Its place in `copies`. */
  readonly key: string
  readonly pushId: number
  readonly pushedAtMs: number
}

/** What was announced while a backlog is being sent; `more` when not all of it is here. */
export type Later = { readonly messages: Message[]; more: boolean }

/** How a topic is heard. `id` of the subscription is known once something was pushed. */
export type Hearing = { readonly prefix: Prefix; id?: string }

/** The state of one connection. */
export type Line = {
  readonly relay: RelayState
  readonly peer: Peer
  /** Subscribed on this socket, each with the prefix its client used. */
  readonly live: Map<string, Hearing>
  readonly copies: Map<string, Copy>
  /** The same by the ids of the pushes. */
  readonly pushes: Map<number, Copy>
  /** Topics whose backlog is being sent, with what comes after it. */
  readonly flushing: Map<string, Later>
  /** Places of copies acknowledged while backlogs are being sent: what was read from the mailbox before may hold them still. */
  acknowledged: Set<string> | undefined
  readonly openedAtMs: number
  /** What a frame costs a token of: the socket's own bucket and those it shares. */
  readonly levels: readonly { readonly level: Level; readonly rate: Rate }[]
  /** It sent too much: the rest of it is not looked at. */
  refused: boolean
  open: boolean
  /** Of frames that are not done; undefined when all are. */
  queue: Promise<void> | undefined
}

/** Lets a connection hear of `topic`, at once or as soon as there is room. */
export function attach(line: Line, topic: string, prefix: Prefix): void {
  const { relay, live } = line
  if (!live.has(topic)) for (const quota of line.peer.quotas ?? []) quota.subscriptions++
  live.set(topic, { prefix })
  if (relay.lines.get(topic)?.has(line)) return
  if (hasPlace(relay, topic)) {
    remove(relay.waiting, topic, line)
    add(relay.lines, topic, line)
  } else add(relay.waiting, topic, line)
}

/** Whether it does not hear `topic` and finds no room there. */
export const isCrowded = ({ relay, live }: Line, topic: string) =>
  !live.has(topic) && !hasPlace(relay, topic)

/** Whether `topic` has room for one more socket. */
export const hasPlace = ({ lines, socketsPerTopic }: RelayState, topic: string) =>
  (lines.get(topic)?.size ?? 0) < socketsPerTopic

function add(all: Lines, topic: string, line: Line): void {
  const lines = all.get(topic)
  if (lines) lines.add(line)
  else all.set(topic, new Set([line]))
}

/** Whether it was the last one. */
function remove(all: Lines, topic: string, line: Line): boolean {
  const lines = all.get(topic)
  if (!lines?.delete(line) || lines.size > 0) return false
  return all.delete(topic)
}

/** Whether its quotas have room for `topics`. */
export function hasRoom({ live, peer }: Line, topics: readonly string[]): boolean {
  const more = new Set(topics.filter((topic) => !live.has(topic))).size
  return (peer.quotas ?? []).every(
    ({ subscriptions, limits }) => subscriptions + more <= limits.subscriptions,
  )
}

/** Lets it hear no more of `topic`. */
export function leave(line: Line, topic: string): void {
  if (line.live.delete(topic)) for (const quota of line.peer.quotas ?? []) quota.subscriptions--
  const { lines, waiting, mailbox } = line.relay
  remove(waiting, topic, line)
  if (remove(lines, topic, line)) mailbox.unfollow([topic])
}

/** Ends a connection: it leaves every topic. */
export function end(line: Line): void {
  line.open = false
  line.relay.stale.delete(line)
  for (const topic of line.live.keys()) leave(line, topic)
  line.copies.clear()
  line.pushes.clear()
}
