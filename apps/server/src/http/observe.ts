import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import { routeTemplate } from './routeTemplate.ts'

/** Gives each response an `x-request-id`, and each request a line in the log and a place in the metrics: by template. */
export function observe({
  log,
  metrics,
  clock,
}: Pick<Services, 'log' | 'metrics' | 'clock'>): MiddlewareHandler<{
  Bindings: Partial<HttpBindings>
}> {
  return async (c, next) => {
    const startedAtMs = clock()
    const requestId = randomUUID()
    c.env?.outgoing?.setHeader('x-request-id', requestId)
    await next()
    const labels = {
      method: c.req.method,
      route: routeTemplate(c) ?? 'unmatched',
      status: String(c.res.status),
    }
    const durationMs = clock() - startedAtMs
    metrics.requestSeconds.observe(labels, durationMs / 1000)
    // Of the query only the project id: others may carry tokens.
    const projectId = c.req.query('projectId')?.slice(0, 128)
    const level = c.error ? 'error' : quiet.has(labels.route) ? 'debug' : 'info'
    log[level](
      { requestId, ...labels, durationMs, projectId, ...(c.error && { err: c.error }) },
      'request',
    )
  }
}

const quiet = new Set(['/health', '/ready', '/metrics', 'unmatched'])
