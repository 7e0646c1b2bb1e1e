import type { RelayStatus } from '../client.ts'
import type { RelayClientParameters, RelayMessage } from '../relay/relayClient.ts'
import type { Published, TestRelaySettings } from './testRelaySettings.ts'

type StoredMessage = RelayMessage & { publisher: string; expiresAtMs: number; seenBy: Set<string> }

/** State that the clients of one test relay share. */
export type Hub = {
  now: () => number
  settings: TestRelaySettings
  published: Published[]
  mail: Map<string, StoredMessage[]>
  clients: Set<Client>
  cut: Set<string>
  refusal: Error | undefined
}

/** A client of the test relay. */
export type Client = {
  hub: Hub
  parameters: RelayClientParameters
  id: string
  topics: Set<string>
  status: RelayStatus
  listeners: Set<(status: RelayStatus) => void>
  outbox: StoredMessage[]
  underway: Set<StoredMessage>
  tails: Map<string, Promise<void>>
  /** Calls that wait for a connection. */
  waiting: Set<{ resolve: () => void; reject: (error: Error) => void }>
  isClosed: boolean
}

/** Stores a message once and delivers it to all its subscribers. */
export async function keep(
  client: Client,
  publication: Omit<Published, 'clientId'>,
): Promise<void> {
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

/** Runs after the current promise has resolved for its caller. */
export const later = (run: () => void): void => void setTimeout(run)

/** Sends a client's waiting messages, except for those already being sent. */
export function flush(client: Client): void {
  const { hub, outbox, underway } = client
  if (client.status.status !== 'connected' || client.isClosed) return
  const wasEmpty = outbox.length === 0
  for (const kept of [...client.topics].flatMap((topic) => hub.mail.get(topic) ?? [])) {
    const isDelivered = kept.expiresAtMs <= hub.now() || kept.seenBy.has(client.id)
    if (isDelivered || kept.publisher === client.id || underway.has(kept)) continue
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

async function hand(client: Client, kept: StoredMessage): Promise<void> {
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
