import { collectDefaultMetrics, Registry } from 'prom-client'
import { type CountSeconds, createCountSeconds } from './createCountSeconds.ts'

/**
 * The Prometheus registry of one server, and what the platform itself measures. Areas register
 * their own with it.
 */
export type Metrics = {
  readonly registry: Registry
  /** Counts HTTP requests by their duration. */
  readonly countSeconds: CountSeconds
}

/** A registry of its own for each server, so that two in one process do not collide. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return { registry, countSeconds: createCountSeconds(registry) }
}
