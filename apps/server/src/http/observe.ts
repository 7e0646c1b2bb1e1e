import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { HttpBindings } from '@hono/node-server'
import { isError } from '@latchkey/wire'
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import { statusOf } from './failure.ts'
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
    const gone = isGone(c.env?.incoming)
    const labels = {
      method: c.req.method,
      route: routeTemplate(c) ?? 'unmatched',
      status: gone ? goneStatus : String(c.res.status),
    }
    const durationMs = clock() - startedAtMs
    metrics.requestSeconds.observe(labels, durationMs / 1000)
    // Of the query only the project id: others may carry tokens.
    const projectId = c.req.query('projectId')?.slice(0, 128)
    const line = { requestId, ...labels, durationMs, projectId }
    if (c.error && !gone) log[levelOf(c.error)]({ ...line, ...describe(c.error) }, 'request')
    else log[quiet.has(labels.route) ? 'debug' : 'info'](line, 'request')
  }
}

/** What nginx writes for a client that went away before it was answered. */
const goneStatus = '499'

/** Whether the client has broken off what it was sending: nothing failed here then. */
const isGone = (incoming: IncomingMessage | Http2ServerRequest | undefined) =>
  incoming !== undefined && !incoming.complete && incoming.destroyed

const levelOf = (error: Error) => (isError(error) && statusOf(error) !== 500 ? 'warn' : 'error')

/** What we foresaw needs no stack. */
const describe = (error: Error) =>
  levelOf(error) === 'warn' ? { reason: (error as { code?: unknown }).code } : { err: error }

const quiet = new Set(['/health', '/ready', '/metrics', 'unmatched'])
