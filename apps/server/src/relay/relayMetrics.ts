import { Counter, Gauge, type Registry } from 'prom-client'
import type { RelayEvent } from './clientConnection.ts'

/** Why a client was refused or disconnected. */
type Refusal =
  | 'token'
  | 'origin'
  | 'project'
  | 'too_many_sockets'
  | 'too_many_frames'
  | 'backlog'
  | 'idle'

/** What the relay counts. No label names a topic, a client or a message. */
export type RelayMetrics = {
  readonly count: (event: RelayEvent) => void
  readonly refuse: (reason: Refusal) => void
}

type Sizes = { readonly [name: string]: number }

/** Registers the relay's metrics; `sizes` is asked at each scrape, with names such as `sockets`. */
export function createRelayMetrics(
  registry: Registry,
  gauges: Readonly<Record<string, string>>,
  sizes: () => Sizes | Promise<Sizes>,
): RelayMetrics {
  // Counted apart: the registry's own counting is slow next to handling a message.
  const events = new Map<RelayEvent, number>()
  new Counter({
    name: 'latchkey_relay_messages_total',
    help: 'What became of messages',
    labelNames: ['event'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [event, count] of events) this.inc({ event }, count)
    },
  })
  const refusals = new Counter({
    name: 'latchkey_relay_refusals_total',
    help: 'Clients not let in or sent away, by reason',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  for (const [name, help] of Object.entries(gauges))
    new Gauge({
      name: `latchkey_relay_${name}`,
      help,
      registers: [registry],
      async collect() {
        this.set((await sizes())[name] ?? Number.NaN)
      },
    })
  return {
    count: (event) => void events.set(event, (events.get(event) ?? 0) + 1),
    refuse: (reason) => refusals.inc({ reason }),
  }
}
