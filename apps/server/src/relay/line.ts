import type { Prefix } from './frames.ts'
import type { Mailbox, Message } from './mailbox.ts'

export type RelayParameters = {
  readonly mailbox: Mailbox
  /** Milliseconds. */
  readonly now: () => number
  /** Frames one socket may send: so many at once, and so many a second. */
  readonly rate?: { readonly capacity: number; readonly refillPerSecond: number }
  /** Sockets subscribed to one topic at most. */
  readonly socketsPerTopic?: number
  /** Runs a push; at once unless a test wants it later. */
  readonly schedule?: (run: () => void) => void
  /** Told of failures inside, never of what a message says. */
  readonly report: (error: unknown) => void
}

/** What the connections of one relay share. */
export type RelayState = Required<RelayParameters> & {
  /** Connections by the topics they hear. */
  readonly lines: Map<string, Set<Line>>
  readonly nextPushId: () => number
}

/** What the relay needs of a socket. */
export type Peer = {
  /** Proven by its token. */
  readonly clientId: string
  /** Must not throw, also when the socket is gone. */
  send(text: string): void
  /** 1013 for too many frames, 1001 when the relay stops. */
  close(code: number, reason: string): void
}

/** A message pushed and not yet acknowledged. */
type Copy = Pick<Message, 'topic' | 'id' | 'expiresAtMs'> & {
  readonly pushId: number
  readonly pushedAtMs: number
}

/** The state of one connection. */
export type Line = {
  readonly relay: RelayState
  readonly peer: Peer
  /** Subscribed on this socket, each with the prefix its client used. */
  readonly live: Map<string, Prefix>
  readonly copies: Map<string, Copy>
  readonly pushes: Map<number, string>
  /** Topics whose backlog is being sent; true when something came meanwhile. */
  readonly flushing: Map<string, boolean>
  readonly openedAtMs: number
  tokens: number
  refilledAtMs: number
  open: boolean
  queue: Promise<void>
}

/** Lets a connection hear of `topic`. */
export function attach(line: Line, topic: string, prefix: Prefix): void {
  line.live.set(topic, prefix)
  const lines = line.relay.lines.get(topic)
  if (lines) lines.add(line)
  else line.relay.lines.set(topic, new Set([line]))
}

/** Whether `topic` has no room for one more socket. */
export function isCrowded({ relay, live }: Line, topic: string): boolean {
  return !live.has(topic) && (relay.lines.get(topic)?.size ?? 0) >= relay.socketsPerTopic
}

/** Lets it hear no more of `topic`. */
export function leave(line: Line, topic: string): void {
  line.live.delete(topic)
  const lines = line.relay.lines.get(topic)
  lines?.delete(line)
  if (lines?.size === 0) line.relay.lines.delete(topic)
}

/** Ends a connection: it leaves every topic. */
export function end(line: Line): void {
  line.open = false
  for (const topic of line.live.keys()) leave(line, topic)
  line.copies.clear()
  line.pushes.clear()
}
