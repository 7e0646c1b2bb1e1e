import { LatchkeyError } from '@latchkey/wire'
import type { RelayStatus } from '../client.ts'
import type { RelayClient } from './relayClient.ts'

/** The relays of one client, one for each address, open while a topic or a call needs it. */
export type Relays = {
  /** The client of a relay; opens it if needed. Throws NOT_INITIALIZED after `close`. */
  at(url: string): RelayClient
  status(url: string): RelayStatus
  /** The last status that the relay reported. */
  clockOffsetMs(url: string): number
  /** Addresses of relays that are open. */
  urls(): string[]
  /** Subscribes to topics; resolves when the relay has confirmed it. */
  hold(url: string, topics: readonly string[]): Promise<void>
  drop(topic: string): void
  /** Keeps a relay open while this runs. */
  use<Result>(url: string, run: (relay: RelayClient) => Promise<Result>): Promise<Result>
  /** Subscribes to exactly these topics. */
  sync(targets: readonly { relayUrl: string; topic: string }[]): void
  revive(): void
  close(): void
}

type Open = { relay: RelayClient; uses: number }

export function openRelays(
  create: (url: string) => RelayClient,
  onStatus: (url: string, status: RelayStatus) => void,
): Relays {
  const open = new Map<string, Open>()
  const offsets = new Map<string, number>()
  let isClosed = false
  const at = (url: string) => {
    const found = open.get(url)
    if (found) return found
    if (isClosed)
      throw new LatchkeyError('NOT_INITIALIZED', { data: { context: 'The client is closed.' } })
    const opened: Open = { relay: create(url), uses: 0 }
    opened.relay.onStatus((status) => onStatus(url, status))
    open.set(url, opened)
    return opened
  }
  const closeIdle = (url: string) => {
    const found = open.get(url)
    if (found === undefined || found.relay.topics.size > 0 || found.uses > 0) return
    open.delete(url)
    found.relay.close()
    onStatus(url, { status: 'idle' })
  }
  const use = async <Result>(url: string, run: (relay: RelayClient) => Promise<Result>) => {
    const found = at(url)
    found.uses += 1
    try {
      return await run(found.relay)
    } finally {
      found.uses -= 1
      closeIdle(url)
    }
  }
  const hold = async (url: string, topics: readonly string[]) => {
    const { relay } = at(url)
    const fresh = topics.filter((topic) => !relay.topics.has(topic))
    if (fresh.length > 0) await use(url, () => relay.subscribe(fresh))
  }
  const dropAll = (url: string, topics: readonly string[]) => {
    if (topics.length > 0) void use(url, (relay) => relay.unsubscribe(topics)).catch(() => {})
  }
  return {
    at: (url) => at(url).relay,
    status: (url) => open.get(url)?.relay.status() ?? { status: 'idle' },
    clockOffsetMs(url) {
      const offset = open.get(url)?.relay.clockOffsetMs() ?? offsets.get(url) ?? 0
      offsets.set(url, offset)
      return offset
    },
    urls: () => [...open.keys()],
    hold,
    drop(topic) {
      for (const [url, { relay }] of open) if (relay.topics.has(topic)) dropAll(url, [topic])
    },
    use,
    sync(targets) {
      for (const url of new Set(targets.map(({ relayUrl }) => relayUrl))) {
        const topics = targets.filter(({ relayUrl }) => relayUrl === url).map(({ topic }) => topic)
        void hold(url, topics).catch(() => {})
      }
      const topics = new Set(targets.map(({ topic }) => topic))
      for (const [url, { relay }] of open)
        dropAll(
          url,
          [...relay.topics].filter((topic) => !topics.has(topic)),
        )
    },
    revive() {
      for (const { relay } of open.values()) relay.revive()
    },
    close() {
      isClosed = true
      for (const { relay } of open.values()) relay.close()
      open.clear()
    },
  }
}
