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

/** The relay's counters. No label identifies a topic, a client or a message. */
export type RelayMetrics = {
  readonly count: (event: RelayEvent) => void
  readonly refuse: (reason: Refusal) => void
}

type Sizes = { readonly [name: string]: number }

/**
 * Registers the relay's metrics. `sizes` is called at each scrape; its keys are names such as
 * `sockets`.
 */
export function createRelayMetrics(
  registry: Registry,
  gauges: Readonly<Record<string, string>>,
  sizes: () => Sizes | Promise<Sizes>,
): RelayMetrics {
  // Plain counters, because the registry's own counters are slow compared with handling a message.
  const events = new Map<RelayEvent, number>()
  new Counter({
    name: 'latchkey_relay_messages_total',
    help: 'Messages by outcome',
    labelNames: ['event'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [event, count] of events) this.inc({ event }, count)
    },
  })
  const refusals = new Counter({
    name: 'latchkey_relay_refusals_total',
    help: 'Clients refused or disconnected, by reason',
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
