import { pino } from 'pino'
import { type Config, readConfig } from '../src/config.ts'
import { createHealth } from '../src/health/health.ts'
import { createResponseMemory } from '../src/http/createResponseMemory.ts'
import { createMemoryKv } from '../src/kv/memoryKv.ts'
import { createMetrics } from '../src/metrics/metrics.ts'

/**
 * The services of an area that needs no database: with real kv, metrics and clock, and the given
 * chains.
 */
export function makeServices(chains: Config['chains'], clock: () => number = Date.now) {
  const config: Config = { ...readConfig({}), chains }
  const kv = createMemoryKv(clock)
  const log = pino({ level: 'silent' })
  const responseMemory = createResponseMemory({ clock, limits: config.answerBytes })
  const frameResponseMemory = createResponseMemory({ clock, limits: config.frameAnswerBytes })
  const services = { clock, config, kv, log, responseMemory, frameResponseMemory }
  return { ...services, metrics: createMetrics(), health: createHealth() }
}

/** A chain with these upstreams. */
export const chainWith = (upstreams: string[]) => ({
  name: 'Test',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  upstreams,
})
