import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** The Prometheus registry of one server, and what the platform itself measures. Areas register their own with it. */
export type Metrics = {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>
}

/** A registry of its own for each server, so that two in one process do not collide. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestSeconds = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route template',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [registry],
  })
  return { registry, requestSeconds }
}
