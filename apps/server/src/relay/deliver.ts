import { hash } from 'node:crypto'
import { attach, type Copy, type Hearing, type Later, type Line } from './clientConnection.ts'
import type { Message } from './mailbox/mailbox.ts'
import type { Prefix } from './protocol/frames.ts'

/** So long an unacknowledged copy counts as under way; afterwards the next subscribing brings another. */
const ackTimeoutMs = 4_000

/** So many messages of a topic wait for a backlog to be sent; for more the mailbox is asked again. */
const laterMax = 100

/** Sends `message` unless the client sent it, or a copy is under way. */
function push(line: Line, message: Message): void {
  const { relay, peer, copies, pushes } = line
  const hearing = line.live.get(message.topic)
  if (hearing === undefined || message.publisher === peer.clientId) return
  const nowMs = relay.now()
  if (message.expiresAtMs <= nowMs) return
  const key = keyOf(message.topic, message.id)
  if (line.acknowledged?.has(key)) return
  const former = copies.get(key)
  if (former && nowMs - former.pushedAtMs < ackTimeoutMs) return
  if (former) pushes.delete(former.pushId)
  const pushId = relay.nextPushId()
  const { topic, id, expiresAtMs } = message
  const copy: Copy = { topic, id, expiresAtMs, key, pushId, pushedAtMs: nowMs }
  copies.set(key, copy)
  pushes.set(pushId, copy)
  relay.count('pushed')
  hearing.id ??= subscriptionId(peer.clientId, topic)
  const frame = frameOf(pushId, hearing, message)
  relay.schedule(() => line.open && peer.send(frame))
}

// Put together by hand: of all that is done for a message this was the dearest. Topics and prefixes need no escaping.
function frameOf(pushId: number, { id, prefix }: Hearing, message: Message): string {
  const { topic, message: text, attestation, publishedAtMs, tag } = message
  const attested = attestation ? `,"attestation":${JSON.stringify(attestation)}` : ''
  return `{"id":${pushId},"jsonrpc":"2.0","method":"${prefix}_subscription","params":{"id":"${id}","data":{"topic":"${topic}","message":${quote(text)}${attested},"publishedAt":${publishedAtMs},"tag":${tag}}}}`
}

/** Texts of nothing else, as envelopes are, stand in JSON as they are. */
const plain = /^[\w+/=-]*$/

const quote = (text: string) => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** A message was announced: behind a backlog that is being sent it waits for its turn. */
export function deliver(line: Line, message: Message): void {
  const later = line.flushing.get(message.topic)
  if (later === undefined) push(line, message)
  else if (later.messages.length < laterMax) later.messages.push(message)
  else later.more = true
}

/** Lets the connection hear `topics` from now on, and sends what waits there, oldest first. */
export async function open(line: Line, topics: Iterable<string>, prefix: Prefix): Promise<void> {
  const waiting = new Set(line.open ? topics : [])
  for (const topic of waiting) attach(line, topic, prefix)
  await flushAll(line, waiting)
}

/** The connection may have missed messages: until {@link catchUp} has looked, newer ones wait for their turn. */
export function doubt(line: Line): void {
  for (const topic of line.live.keys()) startLater(line, topic)
  if (line.live.size > 0) line.relay.stale.add(line)
}

/** Looks again for what waits on every topic of the connection, which may have missed some. Never rejects. */
export async function catchUp(line: Line): Promise<void> {
  const { relay, peer, live } = line
  if (!line.open) return
  try {
    // What kept the messages may have forgotten the subscriptions.
    await relay.mailbox.subscribe(peer.clientId, [...live.keys()])
    await flushAll(line, new Set(live.keys()))
  } catch (error) {
    if (line.open) relay.stale.add(line)
    relay.report(error)
  }
}

async function flushAll(line: Line, topics: ReadonlySet<string>): Promise<void> {
  for (const topic of topics) startLater(line, topic)
  line.acknowledged = new Set()
  try {
    await line.relay.mailbox.follow([...topics])
    for (const topic of topics) await flush(line, topic)
  } catch (error) {
    if (line.open) line.relay.stale.add(line)
    throw error
  } finally {
    for (const topic of topics) line.flushing.delete(topic)
    line.acknowledged = undefined
  }
}

async function flush(line: Line, topic: string): Promise<void> {
  let later: Later
  do {
    if (!line.live.has(topic)) break
    later = startLater(line, topic)
    const sent = new Set<string>()
    for (const message of await line.relay.mailbox.unseen(line.peer.clientId, topic)) {
      await line.peer.drained?.()
      sent.add(message.id)
      push(line, message)
    }
    for (const message of later.messages) if (!sent.has(message.id)) push(line, message)
  } while (later.more)
  line.flushing.delete(topic)
}

function startLater({ flushing }: Line, topic: string): Later {
  const later = { messages: [], more: false }
  flushing.set(topic, later)
  return later
}

/** Lets go of copies whose message has expired. */
export function dropExpiredCopies({ copies, pushes, relay }: Line): void {
  for (const [key, { pushId, expiresAtMs }] of copies) {
    if (expiresAtMs > relay.now()) continue
    copies.delete(key)
    pushes.delete(pushId)
    relay.count('expired')
  }
}

/**
 * The client answered a push: accepted, it has the message for good; refused, the message stays for later. False when
 * nothing is under way that it could be the answer to.
 */
export function settlePush(
  line: Line,
  { pushId, accepted }: { readonly pushId: number; readonly accepted: boolean },
): boolean {
  const copy = line.pushes.get(pushId)
  if (copy === undefined) return false
  line.pushes.delete(pushId)
  if (line.copies.get(copy.key) === copy) line.copies.delete(copy.key)
  if (!accepted) return true
  const { mailbox, count, report } = line.relay
  count('acknowledged')
  line.acknowledged?.add(copy.key)
  mailbox.acknowledge(line.peer.clientId, copy.topic, copy.id)?.catch(report)
  return true
}

/** A copy is no longer under way. */
export function forgetCopy({ copies, pushes }: Line, topic: string, id: string): void {
  const key = keyOf(topic, id)
  const copy = copies.get(key)
  if (copy) pushes.delete(copy.pushId)
  copies.delete(key)
}

const keyOf = (topic: string, id: string) => `${topic}:${id}`

/** A client's subscription to `topic`: the same on every relay and after every reconnect, so nothing has to remember it. */
export const subscriptionId = (clientId: string, topic: string) =>
  hash('sha256', `${topic}${clientId}`)
