import {
  end,
  hasPlace,
  hasRoom,
  type Line,
  type Peer,
  type RelayParameters,
  type RelayState,
} from './clientConnection.ts'
import { catchUp, deliver, doubt, dropExpiredCopies, open, settlePush } from './deliver.ts'
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
  /** The socket is gone: nothing is sent any more. What it published before is still handled. */
  closed(): void
}

/** A relay without sockets: whoever has a socket whose client is proven connects it. */
export type Relay = {
  connect(peer: Peer): Connection
  /** Once a second or so: expired messages go, silent clients hear of topics they subscribed to on a former socket. */
  tick(): Promise<void>
  /** Sends every client away with 1001 and hears the mailbox no more. */
  stop(): void
  /** Topics somebody hears, and in all. */
  size(): { readonly topics: number; readonly subscriptions: number }
}

/** After this a new socket gets its client's former subscriptions even if it does not ask. */
const restoreAfterMs = 1_000

/** The relay's core: mailbox, subscriptions and delivery, with sockets, time and state handed in. */
export function createRelay(parameters: RelayParameters): Relay {
  const relay = createState(parameters)
  const connected = new Set<Line>()
  const fresh = new Set<Line>()
  const unlisten = relay.mailbox.listen(
    (message) => {
      for (const line of relay.lines.get(message.topic) ?? []) deliver(line, message)
    },
    () => {
      for (const line of connected) doubt(line)
      refresh(relay)
    },
  )
  return {
    connect(peer) {
      const line = createLine(relay, peer)
      connected.add(line)
      fresh.add(line)
      return {
        receive(text) {
          const frame = parseFrame(text, relay.frameMaxLength)
          // The answer to a push waits for nothing and costs nothing.
          if (frame.kind === 'answer' && settlePush(line, frame)) return undefined
          return enqueue(line, () => handleFrame(line, frame))
        },
        subscriptions: () => line.live.size,
        async settled() {
          await line.queue
        },
        closed() {
          end(line)
          connected.delete(line)
          fresh.delete(line)
        },
      }
    },
    async tick() {
      await relay.mailbox.sweep()
      for (const line of connected) dropExpiredCopies(line)
      refresh(relay)
      admit(relay)
      const due = [...fresh].filter((line) => relay.now() - line.openedAtMs >= restoreAfterMs)
      for (const line of due) fresh.delete(line)
      await Promise.all(due.map((line) => enqueue(line, () => restore(line))))
    },
    stop() {
      unlisten()
      for (const line of connected) {
        end(line)
        line.peer.close(1001, 'The relay is stopping')
      }
      connected.clear()
      fresh.clear()
    },
    size() {
      let subscriptions = 0
      for (const lines of relay.lines.values()) subscriptions += lines.size
      return { topics: relay.lines.size, subscriptions }
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
    lines: new Map(),
    waiting: new Map(),
    stale: new Set(),
    // Above 10^9 as the protocol asks, below 2^53, and different again after a restart.
    nextPushId() {
      lastPushId = Math.max(lastPushId + 1, Math.floor(parameters.now()) * 1000, 1e9)
      return lastPushId
    },
  }
}

function createLine(relay: RelayState, peer: Peer): Line {
  const nowMs = relay.now()
  return {
    relay,
    peer,
    live: new Map(),
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
function enqueue(line: Line, work: () => Promise<void> | undefined): Promise<void> | undefined {
  const begun = line.queue ? line.queue.then(work) : work()
  if (begun === undefined) return undefined
  const done = begun.catch(line.relay.report).then(() => {
    if (line.queue === done) line.queue = undefined
  })
  line.queue = done
  return done
}

function refresh(relay: RelayState): void {
  const lines = [...relay.stale]
  relay.stale.clear()
  for (const line of lines) enqueue(line, () => catchUp(line))
}

/** Who waits for a topic that was crowded hears it, first come first, unless he has left meanwhile. */
function admit(relay: RelayState): void {
  for (const [topic, waiting] of relay.waiting)
    for (const line of waiting) {
      if (!hasPlace(relay, topic)) break
      enqueue(line, () => {
        const hearing = line.live.get(topic)
        return hearing && open(line, [topic], hearing.prefix)
      })
    }
}

/** Some clients do not subscribe again after reconnecting; the others have by now. */
async function restore(line: Line): Promise<void> {
  if (!line.open) return
  const topics = await line.relay.mailbox.topicsOf(line.peer.clientId)
  const missed = topics.filter((topic) => !line.live.has(topic))
  if (!hasRoom(line, missed)) return
  await open(line, missed, 'irn')
}
