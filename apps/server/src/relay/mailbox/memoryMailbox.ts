import type { Publication } from '../protocol/calls.ts'
import { bytesOf, type Mailbox, type Message, messageId } from './mailbox.ts'
import { createMemorySubscriptions, type SubscriptionLimits } from './memorySubscriptions.ts'

export type MailboxLimits = SubscriptionLimits & {
  readonly messagesPerTopic: number
  readonly bytesPerTopic: number
  /** Bytes of all messages together, see `bytesOf`. */
  readonly bytes: number
  /** Clients remembered as having had one message; beyond it the first may get it again. */
  readonly seenPerMessage: number
}

const defaultLimits: MailboxLimits = {
  messagesPerTopic: 2_000,
  bytesPerTopic: 8 * 1024 * 1024,
  bytes: 512 * 1024 * 1024,
  subscriptionsPerClient: 5_000,
  subscriptions: 1_000_000,
  seenPerMessage: 64,
}

/** Messages that expire within one such span are swept together. */
const slotMs = 10_000
const nobody: readonly string[] = []

type Kept = { readonly message: Message; readonly bytes: number; seenBy: readonly string[] }
type Topic = { readonly kept: Map<string, Kept>; bytes: number }

type Store = {
  readonly now: () => number
  readonly limits: MailboxLimits
  readonly topics: Map<string, Topic>
  /** Messages by the time they expire, see `slotMs`. */
  readonly slots: Map<number, Set<Kept>>
  /** Messages that somebody has had, longest ago first: they make room when a bound is reached. */
  readonly delivered: Set<Kept>
  bytes: number
}

/** How much a mailbox holds, for metrics and tests. */
export type MailboxSize = {
  readonly topics: number
  readonly messages: number
  readonly bytes: number
  readonly clients: number
  readonly subscriptions: number
}

/** A mailbox in this process. `now` gives milliseconds. */
export function createMemoryMailbox(parameters: {
  readonly now: () => number
  readonly limits?: Partial<MailboxLimits>
}): Mailbox & { size(): MailboxSize } {
  const store: Store = {
    now: parameters.now,
    limits: { ...defaultLimits, ...parameters.limits },
    topics: new Map(),
    slots: new Map(),
    delivered: new Set(),
    bytes: 0,
  }
  const subscriptions = createMemorySubscriptions(store)
  const listeners = new Set<(message: Message) => void>()
  return {
    publish: (clientId, publication) => publish(store, clientId, publication),
    announce(message) {
      for (const heard of listeners) heard(message)
      return undefined
    },
    listen(heard) {
      listeners.add(heard)
      return () => listeners.delete(heard)
    },
    // Everything is heard here.
    async follow() {},
    unfollow() {},
    subscribe: async (clientId, topics) => subscriptions.add(clientId, topics),
    unsubscribe: async (clientId, topics) => subscriptions.remove(clientId, topics),
    topicsOf: async (clientId) => subscriptions.of(clientId),
    unseen: async (clientId, topic) => unseen(store, clientId, topic),
    acknowledge(clientId, topic, id) {
      const kept = store.topics.get(topic)?.kept.get(id)
      if (kept) markSeen(store, kept, clientId)
      return undefined
    },
    async sweep() {
      sweep(store)
      subscriptions.sweep()
    },
    async close() {},
    size: () => ({ ...sizeOf(store), ...subscriptions.size() }),
  }
}

function publish(store: Store, clientId: string, publication: Publication) {
  const nowMs = store.now()
  const { attestation, message: text, tag, topic: name, ttlSeconds } = publication
  const id = messageId(text)
  const topic = store.topics.get(name) ?? { kept: new Map(), bytes: 0 }
  const former = topic.kept.get(id)
  if (former && former.message.expiresAtMs > nowMs) return 'repeated'
  if (former) drop(store, former)

  const bytes = bytesOf(publication)
  if (!makeRoom(store, topic, bytes)) return 'full'

  const expiresAtMs = nowMs + ttlSeconds * 1000
  const times = { publishedAtMs: nowMs, expiresAtMs }
  const message = {
    topic: name,
    message: text,
    tag,
    attestation,
    id,
    publisher: clientId,
    ...times,
  }
  keep(store, topic, { message, bytes, seenBy: nobody })
  return message
}

function keep(store: Store, topic: Topic, kept: Kept): void {
  const { message, bytes } = kept
  store.topics.set(message.topic, topic)
  topic.kept.set(message.id, kept)
  topic.bytes += bytes
  store.bytes += bytes
  const slot = slotOf(message)
  const slotKept = store.slots.get(slot)
  if (slotKept) slotKept.add(kept)
  else store.slots.set(slot, new Set([kept]))
}

const slotOf = ({ expiresAtMs }: Message) => Math.ceil(expiresAtMs / slotMs)

function drop(store: Store, kept: Kept): void {
  const { message, bytes } = kept
  const slotKept = store.slots.get(slotOf(message))
  slotKept?.delete(kept)
  if (slotKept?.size === 0) store.slots.delete(slotOf(message))
  store.delivered.delete(kept)
  store.bytes -= bytes
  const topic = store.topics.get(message.topic)
  if (!topic) return
  topic.kept.delete(message.id)
  topic.bytes -= bytes
  if (topic.kept.size === 0) store.topics.delete(message.topic)
}

/** Whether `bytes` more fit, if need be in place of messages that have expired or been delivered. */
function makeRoom(store: Store, topic: Topic, bytes: number): boolean {
  if (fitsTopic(store, topic, bytes) && fitsStore(store, bytes)) return true
  const nowMs = store.now()
  for (const kept of topic.kept.values()) {
    if (fitsTopic(store, topic, bytes)) break
    if (kept.message.expiresAtMs <= nowMs || store.delivered.has(kept)) drop(store, kept)
  }
  for (const kept of store.delivered) {
    if (fitsStore(store, bytes)) break
    drop(store, kept)
  }
  return fitsTopic(store, topic, bytes) && fitsStore(store, bytes)
}

const fitsTopic = ({ limits }: Store, topic: Topic, bytes: number) =>
  topic.kept.size < limits.messagesPerTopic && topic.bytes + bytes <= limits.bytesPerTopic

const fitsStore = (store: Store, bytes: number) => store.bytes + bytes <= store.limits.bytes

function unseen(store: Store, clientId: string, name: string): Message[] {
  const nowMs = store.now()
  const messages: Message[] = []
  for (const { message, seenBy } of store.topics.get(name)?.kept.values() ?? []) {
    const due = message.expiresAtMs > nowMs && message.publisher !== clientId
    if (due && !seenBy.includes(clientId)) messages.push(message)
  }
  return messages
}

function markSeen(store: Store, kept: Kept, clientId: string): void {
  store.delivered.add(kept)
  if (kept.seenBy.includes(clientId)) return
  kept.seenBy = kept.seenBy.concat(clientId).slice(-store.limits.seenPerMessage)
}

function sweep(store: Store): void {
  const nowMs = store.now()
  const lastSlot = Math.floor(nowMs / slotMs)
  for (const [slot, slotKept] of store.slots) {
    if (slot > lastSlot) continue
    for (const kept of slotKept) drop(store, kept)
  }
}

const sizeOf = ({ topics, bytes }: Store) => ({
  topics: topics.size,
  messages: [...topics.values()].reduce((sum, { kept }) => sum + kept.size, 0),
  bytes,
})
