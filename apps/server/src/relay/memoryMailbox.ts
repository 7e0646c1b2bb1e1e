import type { Publication } from './calls.ts'
import { type Mailbox, type Message, messageId } from './mailbox.ts'

export type MailboxLimits = {
  readonly messagesPerTopic: number
  readonly bytesPerTopic: number
  /** Bytes of all messages together, as counted here: texts and a flat sum for what surrounds them. */
  readonly bytes: number
  readonly subscriptionsPerClient: number
  /** Subscriptions of all clients; the client longest silent is forgotten first. */
  readonly subscriptions: number
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

const subscriptionTtlMs = 30 * 86_400_000
/** Messages that expire within one such span are dropped together. */
const slotMs = 10_000
const overheadBytes = 512

type Kept = { readonly message: Message; readonly bytes: number; readonly seenBy: Set<string> }
type Topic = { readonly kept: Map<string, Kept>; bytes: number }
type Client = { readonly topics: Set<string>; expiresAtMs: number }

type Store = {
  readonly now: () => number
  readonly limits: MailboxLimits
  readonly topics: Map<string, Topic>
  readonly slots: Map<number, Kept[]>
  /** Ordered by last use. */
  readonly clients: Map<string, Client>
  bytes: number
  subscriptions: number
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
    clients: new Map(),
    bytes: 0,
    subscriptions: 0,
  }
  const listeners = new Set<(message: Message) => void>()
  return {
    publish: async (clientId, publication) => publish(store, clientId, publication),
    async announce(message) {
      for (const listener of listeners) listener(message)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    subscribe: async (clientId, topics) => subscribe(store, clientId, topics),
    unsubscribe: async (clientId, topics) => unsubscribe(store, clientId, topics),
    topicsOf: async (clientId) => [...(liveClient(store, clientId)?.topics ?? [])],
    unseen: async (clientId, topic) => unseen(store, clientId, topic),
    async acknowledge(clientId, topic, id) {
      const kept = store.topics.get(topic)?.kept.get(id)
      if (kept) markSeen(kept, clientId, store.limits.seenPerMessage)
    },
    sweep: async () => sweep(store),
    size: () => sizeOf(store),
  }
}

function publish(store: Store, clientId: string, publication: Publication) {
  const { limits } = store
  const nowMs = store.now()
  const { ttlSeconds, ...rest } = publication
  const id = messageId(rest.message)
  const topic = store.topics.get(rest.topic) ?? { kept: new Map(), bytes: 0 }
  const former = topic.kept.get(id)
  if (former && former.message.expiresAtMs > nowMs) return 'repeated'

  const bytes =
    Buffer.byteLength(rest.message) + Buffer.byteLength(rest.attestation ?? '') + overheadBytes
  if (topic.kept.size >= limits.messagesPerTopic || topic.bytes + bytes > limits.bytesPerTopic)
    dropExpired(store, rest.topic)
  const full =
    topic.kept.size >= limits.messagesPerTopic ||
    topic.bytes + bytes > limits.bytesPerTopic ||
    store.bytes + bytes > limits.bytes
  if (full) return 'full'

  if (former) drop(store, former)
  const expiresAtMs = nowMs + ttlSeconds * 1000
  const message = { ...rest, id, publisher: clientId, publishedAtMs: nowMs, expiresAtMs }
  keep(store, topic, { message, bytes, seenBy: new Set() })
  return message
}

function keep(store: Store, topic: Topic, kept: Kept): void {
  const { message, bytes } = kept
  store.topics.set(message.topic, topic)
  topic.kept.set(message.id, kept)
  topic.bytes += bytes
  store.bytes += bytes
  const slot = Math.ceil(message.expiresAtMs / slotMs)
  const slotKept = store.slots.get(slot)
  if (slotKept) slotKept.push(kept)
  else store.slots.set(slot, [kept])
}

/** Forgets a message; its slot lets go of it when its time comes. */
function drop(store: Store, { message, bytes }: Kept): void {
  const topic = store.topics.get(message.topic)
  // A slot may still know a message that was dropped and kept anew.
  if (topic?.kept.get(message.id)?.message !== message) return
  topic.kept.delete(message.id)
  topic.bytes -= bytes
  store.bytes -= bytes
  if (topic.kept.size === 0) store.topics.delete(message.topic)
}

function dropExpired(store: Store, name: string): void {
  const nowMs = store.now()
  for (const kept of store.topics.get(name)?.kept.values() ?? [])
    if (kept.message.expiresAtMs <= nowMs) drop(store, kept)
}

function unseen(store: Store, clientId: string, name: string): Message[] {
  const nowMs = store.now()
  const messages: Message[] = []
  for (const { message, seenBy } of store.topics.get(name)?.kept.values() ?? []) {
    const due = message.expiresAtMs > nowMs && message.publisher !== clientId
    if (due && !seenBy.has(clientId)) messages.push(message)
  }
  return messages
}

function markSeen({ seenBy }: Kept, clientId: string, limit: number): void {
  seenBy.add(clientId)
  const [first] = seenBy
  if (seenBy.size > limit && first !== undefined) seenBy.delete(first)
}

function liveClient(store: Store, clientId: string): Client | undefined {
  const client = store.clients.get(clientId)
  return client && client.expiresAtMs > store.now() ? client : undefined
}

function subscribe(store: Store, clientId: string, topics: readonly string[]): boolean {
  const held = liveClient(store, clientId)?.topics ?? new Set<string>()
  const fresh = new Set(topics.filter((topic) => !held.has(topic)))
  const { subscriptionsPerClient, subscriptions } = store.limits
  if (held.size + fresh.size > Math.min(subscriptionsPerClient, subscriptions)) return false
  forget(store, clientId)
  for (const topic of fresh) held.add(topic)
  store.clients.set(clientId, { topics: held, expiresAtMs: store.now() + subscriptionTtlMs })
  store.subscriptions += held.size
  for (const [other] of store.clients) {
    if (store.subscriptions <= subscriptions) break
    forget(store, other)
  }
  return true
}

function unsubscribe(store: Store, clientId: string, topics: readonly string[]): void {
  const client = store.clients.get(clientId)
  if (!client) return
  for (const topic of topics) if (client.topics.delete(topic)) store.subscriptions--
  if (client.topics.size === 0) store.clients.delete(clientId)
}

function forget(store: Store, clientId: string): void {
  store.subscriptions -= store.clients.get(clientId)?.topics.size ?? 0
  store.clients.delete(clientId)
}

function sweep(store: Store): void {
  const nowMs = store.now()
  const lastSlot = Math.floor(nowMs / slotMs)
  for (const [slot, slotKept] of store.slots) {
    if (slot > lastSlot) continue
    for (const kept of slotKept) drop(store, kept)
    store.slots.delete(slot)
  }
  for (const [clientId, { expiresAtMs }] of store.clients) {
    if (expiresAtMs > nowMs) break
    forget(store, clientId)
  }
}

const sizeOf = ({ topics, clients, bytes, subscriptions }: Store): MailboxSize => ({
  topics: topics.size,
  messages: [...topics.values()].reduce((sum, { kept }) => sum + kept.size, 0),
  bytes,
  clients: clients.size,
  subscriptions,
})
