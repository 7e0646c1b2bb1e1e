import { LatchkeyError } from '@latchkey/wire'
import type { ClientParameters } from './client.ts'
import { generateIdentity } from './crypto/crypto.ts'
import type { Engine, PeerRole } from './engine.ts'
import { openJournal } from './journal.ts'
import { newRpcId } from './jsonRpc.ts'
import { receive } from './receive.ts'
import { openRecords } from './records.ts'
import type { CreateRelay } from './relay/relayClient.ts'
import { openRelays } from './relay/relays.ts'
import { claimAnswers, flushPosts, rejectWaits } from './send.ts'
import { sweep } from './session/expiry.ts'
import { resolvePendingTopics } from './session/pendingTopics.ts'
import { wantedTopics } from './session/topics.ts'

const tickMs = 5000

/** Loads the stored records or creates an identity, and subscribes to its topics. */
export async function createEngine(
  parameters: ClientParameters,
  { role, createRelay }: { role: PeerRole; createRelay: CreateRelay },
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
      journal.emitHere('relay', { ...status, relayUrl: url })
      if (status.status === 'connected') flushPosts(engine)
    },
  )
  let lastId = 0
  const controller = new AbortController()
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
    pending: new Set(),
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
    signal: controller.signal,
    close() {
      controller.abort()
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

// Sweep only relays that were connected for a whole tick: before that, a response may still be
// waiting at the relay.
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
  // In Node, an idle client must not keep the process alive.
  ;(timer as { unref?(): void }).unref?.()
  return () => clearInterval(timer)
}
