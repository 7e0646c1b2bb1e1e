import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { HttpBindings } from '@hono/node-server'
import { isError } from '@latchkey/wire'
import type { MiddlewareHandler } from 'hono'
import type { Services } from '../services.ts'
import { getStatus } from './failure.ts'
import { routeTemplate } from './routeTemplate.ts'

type Needs = Pick<Services, 'log' | 'metrics' | 'clock'>

/** Gives each response an `x-request-id`, and each request a line in the log and a place in the metrics: by template. */
export function observe(services: Needs): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    const startedAtMs = services.clock()
    const requestId = randomUUID()
    c.env?.outgoing?.setHeader('x-request-id', requestId)
    await next()
    const gone = isGone(c.env?.incoming)
    record(services, {
      ...{ requestId, startedAtMs, method: c.req.method },
      route: routeTemplate(c) ?? 'unmatched',
      status: gone ? goneStatus : String(c.res.status),
      // Of the query only the project id: others may carry tokens.
      projectId: c.req.query('projectId'),
      error: gone ? undefined : c.error,
    })
  }
}

type Answered = {
  readonly requestId: string
  readonly startedAtMs: number
  readonly method: string
  readonly route: string
  readonly status: string
  readonly projectId: string | undefined
  readonly error?: Error | undefined
}

/** A request's line in the log and its place in the metrics. */
export function record(
  { log, metrics, clock }: Needs,
  { requestId, startedAtMs, method, route, status, error, ...asked }: Answered,
): void {
  const labels = { method, route, status }
  const durationMs = clock() - startedAtMs
  metrics.requestSeconds.observe(labels, durationMs / 1000)
  const projectId = asked.projectId?.slice(0, 128)
  const line = { requestId, ...labels, durationMs, projectId }
  if (error) log[levelOf(error)]({ ...line, ...describe(error) }, 'request')
  else log[quiet.has(route) ? 'debug' : 'info'](line, 'request')
}

/** What nginx writes for a client that went away before it was answered. */
const goneStatus = '499'

/** Whether the client has broken off what it was sending: nothing failed here then. */
const isGone = (incoming: IncomingMessage | Http2ServerRequest | undefined) =>
  incoming !== undefined && !incoming.complete && incoming.destroyed

const levelOf = (error: Error) => (isError(error) && getStatus(error) !== 500 ? 'warn' : 'error')

/** What we foresaw needs no stack. */
const describe = (error: Error) =>
  levelOf(error) === 'warn' ? { reason: (error as { code?: unknown }).code } : { err: error }

const quiet = new Set(['/health', '/ready', '/metrics', 'unmatched'])
