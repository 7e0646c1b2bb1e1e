import type { Publication } from '../protocol/calls.ts'
import { getMessageBytes, getMessageId, type Mailbox, type Message } from './mailbox.ts'
import { createMemorySubscriptions, type SubscriptionLimits } from './memorySubscriptions.ts'

export type MailboxLimits = SubscriptionLimits & {
  readonly messagesPerTopic: number
  readonly bytesPerTopic: number
  /** The bytes of all messages together, see `getMessageBytes`. */
  readonly bytes: number
  /**
   * How many receivers of a message are remembered. If there are more, the first may receive it
   * again.
   */
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

/** Messages that expire within one slot of this length are dropped together. */
const slotMs = 10_000
const noClients: readonly string[] = []

type StoredMessage = {
  readonly message: Message
  readonly bytes: number
  seenBy: readonly string[]
}
type Topic = { readonly messages: Map<string, StoredMessage>; bytes: number }

type Store = {
  readonly now: () => number
  readonly limits: MailboxLimits
  readonly topics: Map<string, Topic>
  /** Messages by the slot in which they expire, see `slotMs`. */
  readonly slots: Map<number, Set<StoredMessage>>
  /** Delivered messages, oldest delivery first. They are dropped first when a limit is reached. */
  readonly delivered: Set<StoredMessage>
  bytes: number
}

/** The size of a mailbox, for metrics and tests. */
export type MailboxSize = {
  readonly topics: number
  readonly messages: number
  readonly bytes: number
  readonly clients: number
  readonly subscriptions: number
}

/** A mailbox in this process. `now` returns milliseconds. */
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
      for (const listener of listeners) listener(message)
      return undefined
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // All announcements happen in this process.
    async follow() {},
    unfollow() {},
    subscribe: async (clientId, topics) => subscriptions.add(clientId, topics),
    unsubscribe: async (clientId, topics) => subscriptions.remove(clientId, topics),
    readTopics: async (clientId) => subscriptions.read(clientId),
    readUnseen: async (clientId, topic) => readUnseen(store, clientId, topic),
    acknowledge(clientId, topic, id) {
      const messages = store.topics.get(topic)?.messages.get(id)
      if (messages) markSeen(store, messages, clientId)
      return undefined
    },
    async sweep() {
      sweep(store)
      subscriptions.sweep()
    },
    async close() {},
    size: () => ({ ...getSize(store), ...subscriptions.size() }),
  }
}

function publish(store: Store, clientId: string, publication: Publication) {
  const nowMs = store.now()
  const { attestation, message: text, tag, topic: name, ttlSeconds } = publication
  const id = getMessageId(text)
  const topic = store.topics.get(name) ?? { messages: new Map(), bytes: 0 }
  const previous = topic.messages.get(id)
  if (previous && previous.message.expiresAtMs > nowMs) return 'repeated'
  if (previous) drop(store, previous)

  const bytes = getMessageBytes(publication)
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
  storeMessage(store, topic, { message, bytes, seenBy: noClients })
  return message
}

function storeMessage(store: Store, topic: Topic, messages: StoredMessage): void {
  const { message, bytes } = messages
  store.topics.set(message.topic, topic)
  topic.messages.set(message.id, messages)
  topic.bytes += bytes
  store.bytes += bytes
  const slot = getSlot(message)
  const slotKept = store.slots.get(slot)
  if (slotKept) slotKept.add(messages)
  else store.slots.set(slot, new Set([messages]))
}

const getSlot = ({ expiresAtMs }: Message) => Math.ceil(expiresAtMs / slotMs)

function drop(store: Store, messages: StoredMessage): void {
  const { message, bytes } = messages
  const slotKept = store.slots.get(getSlot(message))
  slotKept?.delete(messages)
  if (slotKept?.size === 0) store.slots.delete(getSlot(message))
  store.delivered.delete(messages)
  store.bytes -= bytes
  const topic = store.topics.get(message.topic)
  if (!topic) return
  topic.messages.delete(message.id)
  topic.bytes -= bytes
  if (topic.messages.size === 0) store.topics.delete(message.topic)
}

/**
 * Makes room for `bytes` by dropping expired or delivered messages if necessary. Returns whether
 * they fit.
 */
function makeRoom(store: Store, topic: Topic, bytes: number): boolean {
  if (fitsTopic(store, topic, bytes) && fitsStore(store, bytes)) return true
  const nowMs = store.now()
  for (const messages of topic.messages.values()) {
    if (fitsTopic(store, topic, bytes)) break
    if (messages.message.expiresAtMs <= nowMs || store.delivered.has(messages))
      drop(store, messages)
  }
  for (const messages of store.delivered) {
    if (fitsStore(store, bytes)) break
    drop(store, messages)
  }
  return fitsTopic(store, topic, bytes) && fitsStore(store, bytes)
}

const fitsTopic = ({ limits }: Store, topic: Topic, bytes: number) =>
  topic.messages.size < limits.messagesPerTopic && topic.bytes + bytes <= limits.bytesPerTopic

const fitsStore = (store: Store, bytes: number) => store.bytes + bytes <= store.limits.bytes

function readUnseen(store: Store, clientId: string, name: string): Message[] {
  const nowMs = store.now()
  const messages: Message[] = []
  for (const { message, seenBy } of store.topics.get(name)?.messages.values() ?? []) {
    const due = message.expiresAtMs > nowMs && message.publisher !== clientId
    if (due && !seenBy.includes(clientId)) messages.push(message)
  }
  return messages
}

function markSeen(store: Store, messages: StoredMessage, clientId: string): void {
  store.delivered.add(messages)
  if (messages.seenBy.includes(clientId)) return
  messages.seenBy = messages.seenBy.concat(clientId).slice(-store.limits.seenPerMessage)
}

function sweep(store: Store): void {
  const nowMs = store.now()
  const lastSlot = Math.floor(nowMs / slotMs)
  for (const [slot, slotKept] of store.slots) {
    if (slot > lastSlot) continue
    for (const messages of slotKept) drop(store, messages)
  }
}

const getSize = ({ topics, bytes }: Store) => ({
  topics: topics.size,
  messages: [...topics.values()].reduce((sum, { messages }) => sum + messages.size, 0),
  bytes,
})
