import { hash } from 'node:crypto'
import {
  attach,
  type Backlog,
  type ClientConnection,
  type PushedMessage,
  type TopicSubscription,
} from './clientConnection.ts'
import type { Message } from './mailbox/mailbox.ts'
import type { Prefix } from './protocol/messages.ts'

/**
 * How long an unacknowledged push counts as in flight. After that, the next subscription sends it
 * again.
 */
const ackTimeoutMs = 4_000

/**
 * How many messages of a topic may wait while a backlog is sent. If there are more, the mailbox is
 * read again.
 */
const maxBacklog = 100

/** Pushes `message`, unless the client sent it or a copy is in flight. */
function push(connection: ClientConnection, message: Message): void {
  const { relay, peer, copies, pushes } = connection
  const hearing = connection.subscriptions.get(message.topic)
  if (hearing === undefined || message.publisher === peer.clientId) return
  const nowMs = relay.now()
  if (message.expiresAtMs <= nowMs) return
  const key = messageKey(message.topic, message.id)
  if (connection.acknowledged?.has(key)) return
  const former = copies.get(key)
  if (former && nowMs - former.pushedAtMs < ackTimeoutMs) return
  if (former) pushes.delete(former.pushId)
  const pushId = relay.nextPushId()
  const { topic, id, expiresAtMs } = message
  const copy: PushedMessage = { topic, id, expiresAtMs, key, pushId, pushedAtMs: nowMs }
  copies.set(key, copy)
  pushes.set(pushId, copy)
  relay.count('pushed')
  hearing.id ??= getSubscriptionId(peer.clientId, topic)
  const frame = createFrame(pushId, hearing, message)
  relay.schedule(() => connection.open && peer.send(frame))
}

// Built by hand, because JSON.stringify was the most expensive step per message. Topics and
// prefixes need no escaping.
function createFrame(pushId: number, { id, prefix }: TopicSubscription, message: Message): string {
  const { topic, message: text, attestation, publishedAtMs, tag } = message
  const attestationField = attestation ? `,"attestation":${JSON.stringify(attestation)}` : ''
  return `{"id":${pushId},"jsonrpc":"2.0","method":"${prefix}_subscription","params":{"id":"${id}","data":{"topic":"${topic}","message":${quote(text)}${attestationField},"publishedAt":${publishedAtMs},"tag":${tag}}}}`
}

/** Strings of only these characters, such as envelopes, need no escaping in JSON. */
const plain = /^[\w+/=-]*$/

const quote = (text: string) => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** Handles an announced message. While a backlog is being sent, the message waits behind it. */
export function deliver(connection: ClientConnection, message: Message): void {
  const later = connection.flushing.get(message.topic)
  if (later === undefined) push(connection, message)
  else if (later.messages.length < maxBacklog) later.messages.push(message)
  else later.more = true
}

/** Subscribes the connection to `topics` and sends the waiting messages, oldest first. */
export async function openTopics(
  connection: ClientConnection,
  topics: Iterable<string>,
  prefix: Prefix,
): Promise<void> {
  const waiting = new Set(connection.open ? topics : [])
  for (const topic of waiting) attach(connection, topic, prefix)
  await flushAll(connection, waiting)
}

/**
 * Marks a connection that may have missed messages. Newer ones wait until {@link catchUp} has run.
 */
export function markStale(connection: ClientConnection): void {
  for (const topic of connection.subscriptions.keys()) startBacklog(connection, topic)
  if (connection.subscriptions.size > 0) connection.relay.stale.add(connection)
}

/**
 * Reads the waiting messages of all topics of the connection again, because it may have missed
 * some. Never rejects.
 */
export async function catchUp(connection: ClientConnection): Promise<void> {
  const { relay, peer, subscriptions } = connection
  if (!connection.open) return
  try {
    // The mailbox may have lost the subscriptions together with the messages.
    await relay.mailbox.subscribe(peer.clientId, [...subscriptions.keys()])
    await flushAll(connection, new Set(subscriptions.keys()))
  } catch (error) {
    if (connection.open) relay.stale.add(connection)
    relay.report(error)
  }
}

async function flushAll(connection: ClientConnection, topics: ReadonlySet<string>): Promise<void> {
  for (const topic of topics) startBacklog(connection, topic)
  connection.acknowledged = new Set()
  try {
    await connection.relay.mailbox.follow([...topics])
    for (const topic of topics) await flush(connection, topic)
  } catch (error) {
    if (connection.open) connection.relay.stale.add(connection)
    throw error
  } finally {
    for (const topic of topics) connection.flushing.delete(topic)
    connection.acknowledged = undefined
  }
}

async function flush(connection: ClientConnection, topic: string): Promise<void> {
  let later: Backlog
  do {
    if (!connection.subscriptions.has(topic)) break
    later = startBacklog(connection, topic)
    const sent = new Set<string>()
    for (const message of await connection.relay.mailbox.readUnseen(
      connection.peer.clientId,
      topic,
    )) {
      await connection.peer.drained?.()
      sent.add(message.id)
      push(connection, message)
    }
    for (const message of later.messages) if (!sent.has(message.id)) push(connection, message)
  } while (later.more)
  connection.flushing.delete(topic)
}

function startBacklog({ flushing }: ClientConnection, topic: string): Backlog {
  const later = { messages: [], more: false }
  flushing.set(topic, later)
  return later
}

/** Drops copies of expired messages. */
export function dropExpiredPushes({ copies, pushes, relay }: ClientConnection): void {
  for (const [key, { pushId, expiresAtMs }] of copies) {
    if (expiresAtMs > relay.now()) continue
    copies.delete(key)
    pushes.delete(pushId)
    relay.count('expired')
  }
}

/**
 * Handles the client's response to a push. After an acknowledgement the message counts as
 * delivered; after an error it stays in the mailbox. Returns false if no push with this id is in
 * flight.
 */
export function settlePush(
  connection: ClientConnection,
  { pushId, accepted }: { readonly pushId: number; readonly accepted: boolean },
): boolean {
  const copy = connection.pushes.get(pushId)
  if (copy === undefined) return false
  connection.pushes.delete(pushId)
  if (connection.copies.get(copy.key) === copy) connection.copies.delete(copy.key)
  if (!accepted) return true
  const { mailbox, count, report } = connection.relay
  count('acknowledged')
  connection.acknowledged?.add(copy.key)
  mailbox.acknowledge(connection.peer.clientId, copy.topic, copy.id)?.catch(report)
  return true
}

/** Removes a copy that is no longer in flight. */
export function dropPush({ copies, pushes }: ClientConnection, topic: string, id: string): void {
  const key = messageKey(topic, id)
  const copy = copies.get(key)
  if (copy) pushes.delete(copy.pushId)
  copies.delete(key)
}

const messageKey = (topic: string, id: string) => `${topic}:${id}`

/**
 * The id of a client's subscription to `topic`. It is the same on every relay and after every
 * reconnect, so nothing has to store it.
 */
export const getSubscriptionId = (clientId: string, topic: string) =>
  hash('sha256', `${topic}${clientId}`)
