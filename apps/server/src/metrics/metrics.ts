import { collectDefaultMetrics, Registry } from 'prom-client'
import { type CountSeconds, createCountSeconds } from './createCountSeconds.ts'

/**
 * The Prometheus registry of one server, with the metrics of the platform. Areas register their own
 * metrics.
 */
export type Metrics = {
  readonly registry: Registry
  /** Counts HTTP requests by their duration. */
  readonly countSeconds: CountSeconds
}

/** Each server has a separate registry, so that two servers in one process do not collide. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return { registry, countSeconds: createCountSeconds(registry) }
}
