import { LatchkeyError } from '@latchkey/wire'
import type { ClientParameters } from './client.ts'
import { type Journal, openJournal } from './journal.ts'
import { newRpcId, type RpcAnswer } from './jsonRpc.ts'
import { type Role, receive } from './receive.ts'
import { openRecords, type Records } from './records.ts'
import type { CreateRelay } from './relay/relay.ts'
import { generateIdentity } from './relay/relayAuth.ts'
import { openRelays, type Relays } from './relay/relays.ts'
import type { Metadata } from './rpc/shapes.ts'
import { claimAnswers, flushPosts, rejectWaits } from './send.ts'
import { sweep } from './session/expiry.ts'
import { resolvePendingTopics } from './session/pendingTopics.ts'
import { wantedTopics } from './session/topics.ts'

/** A call of this tab that waits for its answer. */
type Wait = { resolve(answer: RpcAnswer): void; reject(error: unknown): void }

/** A sign-in that this tab waits for. Its answer is sealed for its key: `key` is derived from that and `sender`. */
export type Ask = {
  relayUrl: string
  privateKey: string
  onAnswer(answer: RpcAnswer, sealed: { sender: string; key: string }): Promise<void>
}

/** What both roles work with. */
export type Engine = {
  readonly role: Role
  readonly metadata: Metadata
  /** The relay of pairings made here. */
  readonly relayUrl: string
  readonly records: Records
  readonly journal: Journal
  readonly relays: Relays
  /** Calls of this tab, by `topic/id`. */
  readonly waits: Map<string, Wait>
  /** Sign-ins that this tab waits for, by the topic of their answer. */
  readonly asks: Map<string, Ask>
  /** Messages on their way to a relay, by their id. */
  readonly underway: Set<string>
  /** Messages for topics nobody knows yet. */
  readonly pendingTopics: Set<{ topic: string; end(isKnown: boolean): void }>
  /** Relays without calls of their own. */
  readonly olderRelays: Set<string>
  /** The relay's time. */
  nowMs(relayUrl: string): number
  /** A fresh id, later than `after` by a millisecond at least. */
  nextId(relayUrl: string, after?: number): number
  /** Hears of exactly the topics that are stored. */
  syncTopics(): void
  /** Aborted by `close`. */
  readonly signal: AbortSignal
  close(): void
}

const tickMs = 5000

/** Loads what is stored, or makes an identity, and hears of its topics. */
export async function createEngine(
  parameters: ClientParameters,
  { role, createRelay }: { role: Role; createRelay: CreateRelay },
): Promise<Engine> {
  const { storage, metadata, relayUrl, now = Date.now, projectId } = parameters
  const records = openRecords(storage)
  const fresh = records.identity.get('') ? undefined : await generateIdentity()
  // Another tab may have been quicker.
  const identity = records.identity.get('') ?? fresh
  if (identity === undefined) throw new LatchkeyError('INTERNAL')
  if (identity === fresh) records.identity.set('', fresh)

  const journal = openJournal(storage)
  const socket = parameters.WebSocket ? { WebSocket: parameters.WebSocket } : {}
  const project = projectId === undefined ? {} : { projectId }
  const relays = openRelays(
    (url) =>
      createRelay({
        url,
        identity,
        now,
        ...project,
        ...socket,
        onMessage: (message) => receive(engine, url, message),
      }),
    (url, status) => {
      journal.emit('relay', { ...status, relayUrl: url })
      if (status.status === 'connected') flushPosts(engine)
    },
  )
  let lastId = 0
  const ended = new AbortController()
  const stops: (() => void)[] = []
  const engine: Engine = {
    role,
    metadata,
    relayUrl,
    records,
    journal,
    relays,
    waits: new Map(),
    asks: new Map(),
    underway: new Set(),
    pendingTopics: new Set(),
    olderRelays: new Set(),
    nowMs: (url) => now() + relays.clockOffsetMs(url),
    nextId(url, after = 0) {
      lastId = newRpcId(
        Math.max(engine.nowMs(url), (Math.max(lastId, after) + 1000) / 1000),
        Math.random,
      )
      return lastId
    },
    syncTopics: () => relays.sync(wantedTopics(engine)),
    signal: ended.signal,
    close() {
      ended.abort()
      for (const stop of stops) stop()
      relays.close()
      for (const { reject } of engine.waits.values()) reject(new LatchkeyError('ABORTED'))
      engine.waits.clear()
    },
  }
  journal.on('session_delete', ({ topic }) => disconnected(engine, topic))
  journal.on('session_expire', ({ topic }) => disconnected(engine, topic))
  stops.push(
    storage.subscribe((key) => onStorage(engine, key)),
    startSweeps(engine),
  )
  engine.syncTopics()
  flushPosts(engine)
  return engine
}

const disconnected = (engine: Engine, topic: string) =>
  rejectWaits(engine, topic, new LatchkeyError('USER_DISCONNECTED'))

// Another tab wrote.
function onStorage(engine: Engine, key: string): void {
  const [kind] = key.split('/', 1)
  if (kind === 'journal') engine.journal.catchUp()
  else if (kind === 'answer') claimAnswers(engine)
  else if (kind === 'session' || kind === 'pairing' || kind === 'offer') {
    engine.syncTopics()
    resolvePendingTopics(engine)
  }
}

// Only what was connected for a whole tick is swept: before, an answer may still wait at the relay.
function startSweeps(engine: Engine): () => void {
  let before = new Set<string>()
  let lastMs = performance.now()
  const timer = setInterval(() => {
    const wasAsleep = performance.now() - lastMs > 3 * tickMs
    lastMs = performance.now()
    const urls = engine.relays.urls()
    const connected = urls.filter((url) => engine.relays.status(url).status === 'connected')
    for (const url of connected) if (before.has(url) && !wasAsleep) sweep(engine, url)
    before = new Set(connected)
    flushPosts(engine)
  }, tickMs)
  // In Node a client alone keeps no process alive.
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  return () => clearInterval(timer)
}
