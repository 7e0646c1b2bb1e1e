import {
  type ClientConnection,
  endConnection,
  hasQuota,
  hasSocketRoom,
  type Peer,
  type RelayParameters,
  type RelayState,
} from './clientConnection.ts'
import {
  catchUp,
  deliver,
  dropExpiredPushes,
  markStale,
  openTopics,
  settlePush,
} from './deliver.ts'
import { handleMessage, payForSize } from './handleMessage.ts'
import { frameMaxLength, parseFrame } from './protocol/messages.ts'

/** The relay's side of one client socket. Pass its frames to `receive`. */
export type Connection = {
  /**
   * Handles a WebSocket message with `bytes`. Frames are handled one after another.
   * Resolves when the frame has been handled, or returns undefined if that took no waiting. Never
   * rejects.
   */
  receive(text: string, bytes?: number): Promise<void> | undefined
  /** The number of topics it is subscribed to. */
  subscriptions(): number
  /** Resolves when every frame received so far is done. */
  settled(): Promise<void>
  /** Call it when the socket has closed: nothing more is sent. Earlier frames are still handled. */
  closed(): void
}

/**
 * A relay without sockets. The caller connects each socket after verifying the client's identity.
 */
export type Relay = {
  connect(peer: Peer): Connection
  /**
   * Call about once a second: drops expired messages and restores subscriptions of clients that
   * reconnected without subscribing.
   */
  tick(): Promise<void>
  /** Disconnects every client with 1001 and stops listening to the mailbox. */
  stop(): void
  /** The number of topics with subscribers, and of all subscriptions. */
  size(): { readonly topics: number; readonly subscriptions: number }
}

/** After this time a new socket gets its client's former subscriptions even without a request. */
const restoreAfterMs = 1_000

/**
 * The core of the relay: mailbox, subscriptions and delivery. Sockets, time and state are injected.
 */
export function createRelay(parameters: RelayParameters): Relay {
  const relay = createState(parameters)
  const connected = new Set<ClientConnection>()
  const fresh = new Set<ClientConnection>()
  const unlisten = relay.mailbox.listen(
    (message) => {
      for (const connection of relay.connections.get(message.topic) ?? [])
        deliver(connection, message)
    },
    () => {
      for (const connection of connected) markStale(connection)
      refresh(relay)
    },
  )
  return {
    connect(peer) {
      const connection = createLine(relay, peer)
      connected.add(connection)
      fresh.add(connection)
      return {
        receive(text, bytes = text.length) {
          if (!payForSize(connection, bytes)) return undefined
          const frame = parseFrame(text, relay.frameMaxLength)
          // The response to a push is handled at once and costs no token.
          if (frame.kind === 'answer' && settlePush(connection, frame)) return undefined
          return enqueue(connection, () => handleMessage(connection, frame))
        },
        subscriptions: () => connection.subscriptions.size,
        async settled() {
          await connection.queue
        },
        closed() {
          endConnection(connection)
          connected.delete(connection)
          fresh.delete(connection)
        },
      }
    },
    async tick() {
      await relay.mailbox.sweep()
      for (const connection of connected) dropExpiredPushes(connection)
      refresh(relay)
      admit(relay)
      const due = [...fresh].filter(
        (connection) => relay.now() - connection.openedAtMs >= restoreAfterMs,
      )
      for (const connection of due) fresh.delete(connection)
      await Promise.all(due.map((connection) => enqueue(connection, () => restore(connection))))
    },
    stop() {
      unlisten()
      for (const connection of connected) {
        endConnection(connection)
        connection.peer.close(1001, 'The relay is stopping')
      }
      connected.clear()
      fresh.clear()
    },
    size() {
      let subscriptions = 0
      for (const connections of relay.connections.values()) subscriptions += connections.size
      return { topics: relay.connections.size, subscriptions }
    },
  }
}

function createState(parameters: RelayParameters): RelayState {
  let lastPushId = 0
  return {
    rate: { capacity: 900, refillPerSecond: 15 },
    socketsPerTopic: 256,
    schedule: (run) => run(),
    frameMaxLength,
    count: () => {},
    ...parameters,
    connections: new Map(),
    waiting: new Map(),
    stale: new Set(),
    // Above 10^9 as the protocol requires, below 2^53, and different after a restart.
    nextPushId() {
      lastPushId = Math.max(lastPushId + 1, Math.floor(parameters.now()) * 1000, 1e9)
      return lastPushId
    },
  }
}

function createLine(relay: RelayState, peer: Peer): ClientConnection {
  const nowMs = relay.now()
  return {
    relay,
    peer,
    subscriptions: new Map(),
    copies: new Map(),
    pushes: new Map(),
    flushing: new Map(),
    acknowledged: undefined,
    openedAtMs: nowMs,
    levels: [
      { level: { tokens: relay.rate.capacity, refilledAtMs: nowMs }, rate: relay.rate },
      ...(peer.quotas ?? []).map(({ level, limits }) => ({ level, rate: limits.rate })),
    ],
    refused: false,
    open: true,
    queue: undefined,
  }
}

/**
 * Runs `work`, which must not throw, after the unfinished work of the connection, or at once if all
 * work is finished.
 */
function enqueue(
  connection: ClientConnection,
  work: () => Promise<void> | undefined,
): Promise<void> | undefined {
  const running = connection.queue ? connection.queue.then(work) : work()
  if (running === undefined) return undefined
  const done = running.catch(connection.relay.report).then(() => {
    if (connection.queue === done) connection.queue = undefined
  })
  connection.queue = done
  return done
}

function refresh(relay: RelayState): void {
  const connections = [...relay.stale]
  relay.stale.clear()
  for (const connection of connections) enqueue(connection, () => catchUp(connection))
}

/**
 * Subscribes connections that wait for a full topic, first come first served, unless they have
 * left.
 */
function admit(relay: RelayState): void {
  for (const [topic, waiting] of relay.waiting)
    for (const connection of waiting) {
      if (!hasSocketRoom(relay, topic)) break
      enqueue(connection, () => {
        const hearing = connection.subscriptions.get(topic)
        return hearing && openTopics(connection, [topic], hearing.prefix)
      })
    }
}

/**
 * Restores subscriptions, because some clients do not subscribe again after reconnecting. The
 * others have done so by now.
 */
async function restore(connection: ClientConnection): Promise<void> {
  if (!connection.open) return
  const topics = await connection.relay.mailbox.readTopics(connection.peer.clientId)
  const missed = topics.filter((topic) => !connection.subscriptions.has(topic))
  if (!hasQuota(connection, missed)) return
  await openTopics(connection, missed, 'irn')
}
