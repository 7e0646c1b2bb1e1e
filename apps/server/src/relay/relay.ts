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
import { handleFrame } from './handleFrame.ts'
import { frameMaxLength, parseFrame } from './protocol/frames.ts'

/** One client's socket, seen from the relay: what it says goes in by `receive`. */
export type Connection = {
  /** Takes a text frame. Frames are handled one after another; resolves when this one is done, which it may be at once. Never rejects. */
  receive(text: string): Promise<void> | undefined
  /** How many topics it hears. */
  subscriptions(): number
  /** Resolves when every frame taken so far is done. */
  settled(): Promise<void>
  /** The socket has closed: nothing more is sent. What it published before is still handled. */
  closed(): void
}

/** A relay without sockets. The caller connects each socket whose client has proven its identity. */
export type Relay = {
  connect(peer: Peer): Connection
  /** Once a second or so: expired messages go, silent clients hear of topics they subscribed to on a former socket. */
  tick(): Promise<void>
  /** Disconnects every client with 1001 and stops listening to the mailbox. */
  stop(): void
  /** Topics somebody hears, and in all. */
  size(): { readonly topics: number; readonly subscriptions: number }
}

/** After this a new socket gets its client's former subscriptions even if it does not ask. */
const restoreAfterMs = 1_000

/** The relay's core: mailbox, subscriptions and delivery, with sockets, time and state handed in. */
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
        receive(text) {
          const frame = parseFrame(text, relay.frameMaxLength)
          // The answer to a push waits for nothing and costs nothing.
          if (frame.kind === 'answer' && settlePush(connection, frame)) return undefined
          return enqueue(connection, () => handleFrame(connection, frame))
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
    // Above 10^9 as the protocol asks, below 2^53, and different again after a restart.
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

/** Runs `work`, which must not throw, behind what the connection has under way: at once when that is nothing. */
function enqueue(
  connection: ClientConnection,
  work: () => Promise<void> | undefined,
): Promise<void> | undefined {
  const begun = connection.queue ? connection.queue.then(work) : work()
  if (begun === undefined) return undefined
  const done = begun.catch(connection.relay.report).then(() => {
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

/** Subscribes connections that wait for a crowded topic, first come first served, unless they have left. */
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

/** Some clients do not subscribe again after reconnecting; the others have by now. */
async function restore(connection: ClientConnection): Promise<void> {
  if (!connection.open) return
  const topics = await connection.relay.mailbox.readTopics(connection.peer.clientId)
  const missed = topics.filter((topic) => !connection.subscriptions.has(topic))
  if (!hasQuota(connection, missed)) return
  await openTopics(connection, missed, 'irn')
}
