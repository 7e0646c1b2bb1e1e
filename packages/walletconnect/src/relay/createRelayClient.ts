import { isError, LatchkeyError } from '@latchkey/wire'
import type { RelayStatus } from '../client.ts'
import { getMessageId } from '../crypto/crypto.ts'
import { formatRpc } from '../jsonRpc.ts'
import type { CreateRelay, RelayClient } from './relayClient.ts'
import { pushedMessage, readRelayFrame } from './relayFrame.ts'
import { createRelayInbox } from './relayInbox.ts'
import { relayRefused } from './relayRefusal.ts'
import { type Requests, rejectAll, requestRelay, settleCall } from './relayRequest.ts'
import { createRelaySocket } from './relaySocket.ts'

const batchSize = 500
/** If a message was not handled, its topic is fetched again; relays hold back a copy for 4 s. */
const againMs = 5_000

type State = Requests & {
  topics: Set<string>
  again: Map<string, ReturnType<typeof setTimeout>>
  inbox: ReturnType<typeof createRelayInbox>
  listeners: Set<(status: RelayStatus) => void>
}

/** A relay that is reached by a WebSocket. */
export const createRelayClient: CreateRelay = (parameters) => {
  const state: State = {
    parameters,
    socket: createRelaySocket({
      ...parameters,
      isNeeded: () => state.topics.size > 0 || state.pending.size > 0,
      onOpen: () => sendAll(state),
      onText: (text, reply) => take(state, text, reply),
      onStatus(status) {
        if (status.status === 'refused') rejectAll(state, status.error)
        for (const listener of state.listeners) listener(status)
      },
    }),
    topics: new Set(),
    pending: new Map(),
    lastId: 0,
    isClosed: false,
    again: new Map(),
    inbox: createRelayInbox({
      async onMessage(message) {
        if (state.isClosed) throw new LatchkeyError('ABORTED')
        await parameters.onMessage(message)
      },
      onFailed: (topic) => askAgain(state, topic),
    }),
    listeners: new Set(),
  }
  const { socket, listeners } = state
  return {
    url: parameters.url,
    topics: state.topics,
    publish: (message) => publish(state, message),
    call: (call) => callRelay(state, call),
    subscribe: (topics) => subscribe(state, topics),
    unsubscribe: (topics) => unsubscribe(state, topics),
    status: socket.status,
    onStatus(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clockOffsetMs: socket.clockOffsetMs,
    revive: socket.revive,
    close() {
      state.isClosed = true
      for (const timer of state.again.values()) clearTimeout(timer)
      rejectAll(state, new LatchkeyError('ABORTED'))
      socket.close()
    },
  }
}

/** Handles a frame. Returns whether it made sense. */
function take(state: State, text: string, reply: (text: string) => void): boolean {
  const rpc = readRelayFrame(text)
  if (rpc === undefined) return false
  if (!('method' in rpc)) {
    settleCall(state, rpc)
    return true
  }
  const { parameters, socket } = state
  const message = pushedMessage(rpc, parameters.now() + socket.clockOffsetMs())
  if (message === undefined) return false
  state.inbox(message, () => reply(formatRpc({ id: rpc.id, result: true })))
  return true
}

async function publish(
  state: State,
  parameters: Parameters<RelayClient['publish']>[0],
): Promise<void> {
  const { signal, topic, message, ttl, tag, prompt } = parameters
  const params = { topic, message, ttl, tag, prompt }
  const result = await requestRelay(state, { method: 'irn_publish', params, signal })
  if (result !== true) throw relayRefused(state.parameters.url, 'no confirmation')
}

async function callRelay(state: State, call: Parameters<RelayClient['call']>[0]): Promise<void> {
  const { topics } = state
  const { topic, method, params, signal } = call
  const isKnown = topics.has(topic)
  topics.add(topic)
  try {
    await requestRelay(state, { method, params, signal })
  } catch (error) {
    if (!isKnown) topics.delete(topic)
    throw error
  }
}

async function subscribe(state: State, newTopics: readonly string[]): Promise<void> {
  for (const topic of newTopics) state.topics.add(topic)
  await Promise.all(inBatches(newTopics).map((topics) => requestTopics(state, topics)))
}

async function requestTopics(state: State, topics: readonly string[]): Promise<void> {
  try {
    await requestRelay(state, { method: 'irn_batchSubscribe', params: { topics }, topics })
  } catch (error) {
    if (state.socket.status().status === 'refused') throw error
    if (isError(error, 'RELAY_UNREACHABLE')) resubscribe(state, topics)
    if (!isError(error, 'RELAY_REFUSED')) throw error
    // A topic that the relay refuses must not affect the others.
    const half = topics.length >> 1
    if (half === 0) {
      for (const topic of topics) state.topics.delete(topic)
      throw error
    }
    const halves = [topics.slice(0, half), topics.slice(half)]
    await Promise.all(halves.map((part) => requestTopics(state, part)))
  }
}

// Without a limit in time: nothing else requests these topics on this socket.
function resubscribe(state: State, topics: readonly string[]): void {
  const current = topics.filter((topic) => state.topics.has(topic))
  for (const batch of inBatches(current)) requestTopics(state, batch).catch(() => {})
}

async function unsubscribe(state: State, unwanted: readonly string[]): Promise<void> {
  const { topics, parameters, socket } = state
  for (const topic of unwanted) topics.delete(topic)
  if (socket.status().status !== 'connected') return
  // Relays require an id and ignore its value.
  const getId = (topic: string) => getMessageId(topic + parameters.identity.publicKey)
  const subscriptions = unwanted.map((topic) => ({ topic, id: getId(topic) }))
  const calls = inBatches(subscriptions).map((batch) =>
    requestRelay(state, { method: 'irn_batchUnsubscribe', params: { subscriptions: batch } }),
  )
  await Promise.allSettled(calls)
}

/** Sends subscriptions first, so that no response to a published message is missed. */
function sendAll(state: State): void {
  const { topics, pending, socket } = state
  const entries = [...pending.values()]
  const subscribing = entries.filter(({ call }) => call.topics !== undefined)
  const covered = new Set(subscribing.flatMap(({ call }) => call.topics ?? []))
  resubscribe(
    state,
    [...topics].filter((topic) => !covered.has(topic)),
  )
  for (const entry of subscribing) socket.send(entry.text)
  for (const entry of entries) if (!entry.call.topics) socket.send(entry.text)
}

function askAgain(state: State, topic: string): void {
  const { again, isClosed } = state
  if (isClosed || again.has(topic)) return
  const timer = setTimeout(() => {
    again.delete(topic)
    resubscribe(state, [topic])
  }, againMs)
  again.set(topic, timer)
}

const inBatches = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, at) =>
    items.slice(at * batchSize, (at + 1) * batchSize),
  )
