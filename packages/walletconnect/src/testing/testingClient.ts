import { LatchkeyError } from '@latchkey/wire'
import type { RelayStatus } from '../client.ts'
import type { RelayClient, RelayClientParameters } from '../relay/relayClient.ts'
import { type Client, flush, type Hub, keep, later } from './testingMail.ts'
import type { Published } from './testRelaySettings.ts'

/** Stands for every client. */
export const everyone = '*'

/** Creates one client of the test relay. */
export function createTestClient(hub: Hub, parameters: RelayClientParameters): RelayClient {
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
    topics: client.topics,
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

// The leeway of real relays: a clock that is wrong by less goes unnoticed.
const leewayMs = 120_000

/** Calls that publish for their caller: settlement before response, like the real relay. */
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

/** Connects a client that needs a connection and may connect; disconnects a client that may not. */
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
