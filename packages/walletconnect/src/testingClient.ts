import { LatchkeyError } from '@latchkey/wire'
import type { RelayStatus } from './client.ts'
import type { Relay, RelayMessage, RelayParameters } from './relay.ts'
import type { Published, TestRelaySettings } from './testing.ts'

type Kept = RelayMessage & { publisher: string; expiresAtMs: number; seenBy: Set<string> }

/** Stands for every client. */
export const everyone = '*'

/** What the clients of one relay for tests share. */
export type Hub = {
  now: () => number
  settings: TestRelaySettings
  published: Published[]
  mail: Map<string, Kept[]>
  clients: Set<Client>
  cut: Set<string>
  refusal: Error | undefined
}

export type Client = {
  hub: Hub
  parameters: RelayParameters
  id: string
  topics: Set<string>
  status: RelayStatus
  listeners: Set<(status: RelayStatus) => void>
  outbox: Kept[]
  underway: Set<Kept>
  tails: Map<string, Promise<void>>
  /** Rejects what waits for a connection. */
  waiting: Set<{ resolve: () => void; reject: (error: Error) => void }>
  isClosed: boolean
}

/** One client of it. */
export function createTestClient(hub: Hub, parameters: RelayParameters): Relay {
  const client: Client = {
    hub,
    parameters,
    id: parameters.identity.publicKey,
    topics: new Set(),
    status: { status: 'idle' },
    listeners: new Set(),
    outbox: [],
    underway: new Set(),
    tails: new Map(),
    waiting: new Set(),
    isClosed: false,
  }
  hub.clients.add(client)
  return {
    url: parameters.url,
    async publish({ signal, topic, message, tag, ttl, prompt }) {
      await connected(client, signal)
      await keep(client, { topic, message, tag, ttl, prompt })
    },
    async call({ method, params, topic, signal }) {
      await connected(client, signal)
      const publications = hub.settings.isOlder ? undefined : calls[method]?.(params)
      if (publications === undefined)
        throw new LatchkeyError('METHOD_NOT_FOUND', { data: { method } })
      client.topics.add(topic)
      for (const publication of publications) await keep(client, publication)
      later(() => flush(client))
    },
    async subscribe(topics) {
      for (const topic of topics) client.topics.add(topic)
      if (topics.length === 0) return
      await connected(client)
      later(() => flush(client))
    },
    async unsubscribe(topics) {
      for (const topic of topics) client.topics.delete(topic)
    },
    status: () => client.status,
    onStatus(listener) {
      client.listeners.add(listener)
      return () => client.listeners.delete(listener)
    },
    clockOffsetMs() {
      const offsetMs = hub.now() - parameters.now()
      return Math.abs(offsetMs) <= leewayMs ? 0 : offsetMs
    },
    revive() {
      if (client.status.status === 'refused') setStatus(client, { status: 'idle' })
      dial(client)
      if (client.status.status === 'connected') flush(client)
    },
    close() {
      client.isClosed = true
      hub.clients.delete(client)
      settle(client, new LatchkeyError('ABORTED'))
    },
  }
}

// As real relays: within it a wrong clock goes unnoticed.
const leewayMs = 120_000

/** Calls that publish for their caller: settlement before response, as the relay does. */
const calls: Record<
  string,
  (params: Record<string, unknown>) => Omit<Published, 'clientId'>[] | undefined
> = {
  wc_proposeSession: ({ pairingTopic, sessionProposal, ttl }) => [
    handshake(pairingTopic, sessionProposal, 1100, ttl),
  ],
  wc_approveSession: (params) => [
    handshake(params.sessionTopic, params.sessionSettlementRequest, 1102, params.ttl),
    handshake(params.pairingTopic, params.sessionProposalResponse, 1101, params.ttl),
  ],
}

function handshake(topic: unknown, message: unknown, tag: number, ttl: unknown) {
  if (typeof topic !== 'string' || typeof message !== 'string')
    throw new LatchkeyError('RELAY_REFUSED', { data: { host: 'test', reason: 'InvalidParams' } })
  return { topic, message, tag, ttl: typeof ttl === 'number' ? ttl : 300, prompt: tag === 1100 }
}

async function keep(client: Client, publication: Omit<Published, 'clientId'>): Promise<void> {
  const { hub, id: publisher } = client
  const { topic, message, tag, ttl } = publication
  const publishedAtMs = hub.now()
  const mail = (hub.mail.get(topic) ?? []).filter((kept) => kept.expiresAtMs > publishedAtMs)
  hub.mail.set(topic, mail)
  if (mail.some((kept) => kept.message === message)) return
  hub.published.push({ clientId: publisher, ...publication })
  const expiresAtMs = publishedAtMs + ttl * 1000
  mail.push({ topic, message, tag, publishedAtMs, publisher, expiresAtMs, seenBy: new Set() })
  const announce = () => {
    for (const other of hub.clients) flush(other)
  }
  if (hub.settings.pushesFirst) announce()
  else later(announce)
  if (hub.settings.pushesFirst) await new Promise((resolve) => setTimeout(resolve, 1))
}

// After the promise under way has resolved for its caller.
const later = (run: () => void): void => void setTimeout(run)

function flush(client: Client): void {
  const { hub, outbox, underway } = client
  if (client.status.status !== 'connected' || client.isClosed) return
  const wasEmpty = outbox.length === 0
  for (const kept of [...client.topics].flatMap((topic) => hub.mail.get(topic) ?? [])) {
    const isOver = kept.expiresAtMs <= hub.now() || kept.seenBy.has(client.id)
    if (isOver || kept.publisher === client.id || underway.has(kept)) continue
    underway.add(kept)
    outbox.push(kept)
  }
  if (wasEmpty && outbox.length > 0) setTimeout(() => push(client), hub.settings.pushDelayMs)
}

function push(client: Client): void {
  const batch = client.outbox.splice(0)
  const { reorders, duplicates } = client.hub.settings
  if (reorders) batch.reverse()
  for (const kept of duplicates ? batch.flatMap((one) => [one, one]) : batch) {
    const { topic } = kept
    const tail = (client.tails.get(topic) ?? Promise.resolve()).then(() => hand(client, kept))
    client.tails.set(topic, tail)
  }
}

async function hand(client: Client, kept: Kept): Promise<void> {
  const { parameters, hub } = client
  const { topic, message, tag, publishedAtMs } = kept
  try {
    if (client.status.status !== 'connected' || client.isClosed) return
    await parameters.onMessage({ topic, message, tag, publishedAtMs })
    if (!hub.settings.losesAcks && isConnected(client)) kept.seenBy.add(client.id)
  } catch {
    setTimeout(() => flush(client), 10)
  } finally {
    client.underway.delete(kept)
  }
}

const isConnected = ({ status, isClosed }: Client): boolean =>
  status.status === 'connected' && !isClosed

function connected(client: Client, signal?: AbortSignal): Promise<void> {
  if (client.isClosed || signal?.aborted) return Promise.reject(new LatchkeyError('ABORTED'))
  if (client.status.status === 'refused') return Promise.reject(client.status.error)
  return new Promise<void>((resolve, reject) => {
    const waiter = { resolve, reject }
    client.waiting.add(waiter)
    const giveUp = (error: Error) => () => {
      client.waiting.delete(waiter)
      reject(error)
    }
    const timer = setTimeout(giveUp(unreachable(client)), 60_000)
    const abort = giveUp(new LatchkeyError('ABORTED'))
    signal?.addEventListener('abort', abort, { once: true })
    waiter.resolve = () => {
      clearTimeout(timer)
      resolve()
    }
    waiter.reject = (error) => {
      clearTimeout(timer)
      reject(error)
    }
    dial(client)
  })
}

const unreachable = ({ parameters }: Client) =>
  new LatchkeyError('RELAY_UNREACHABLE', { data: { host: new URL(parameters.url).host } })

/** Connects a client that needs it and may, cuts one that may not. */
export function dial(client: Client): void {
  const { hub, topics, waiting } = client
  if (client.status.status === 'refused') return
  const isCut = hub.cut.has(everyone) || hub.cut.has(client.id)
  const isNeeded = topics.size > 0 || waiting.size > 0
  if (hub.refusal) {
    setStatus(client, { status: 'refused', error: hub.refusal })
    settle(client, hub.refusal)
  } else if (isCut) {
    const error = unreachable(client)
    setStatus(client, isNeeded ? { status: 'waiting', error } : { status: 'idle' })
  } else if (isNeeded) connect(client)
}

function connect(client: Client): void {
  if (client.status.status !== 'connected') {
    setStatus(client, { status: 'connecting' })
    setStatus(client, { status: 'connected' })
    later(() => flush(client))
  }
  settle(client)
}

function settle({ waiting }: Client, error?: Error): void {
  for (const waiter of waiting) {
    if (error) waiter.reject(error)
    else waiter.resolve()
  }
  waiting.clear()
}

function setStatus(client: Client, status: RelayStatus): void {
  if (client.status.status === status.status) return
  client.status = status
  for (const listener of client.listeners) listener(status)
}
