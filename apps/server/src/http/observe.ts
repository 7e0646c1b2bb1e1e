import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import type { HttpBindings } from '@hono/node-server'
import { isError } from '@latchkey/wire'
import type { MiddlewareHandler } from 'hono'
import { prepareLine } from '../process/prepareLine.ts'
import type { Services } from '../services.ts'
import { getStatus, HttpFailure } from './failure.ts'
import { getProjectId } from './request/projectId.ts'
import { routeTemplate } from './routeTemplate.ts'

type ObserveDeps = Pick<Services, 'log' | 'metrics' | 'clock'>

/**
 * Adds an `x-request-id` to each response, and counts each request in the log and the metrics by
 * its route template.
 */
export function observe(
  services: ObserveDeps,
): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    const startedAtMs = services.clock()
    const requestId = randomUUID()
    c.env?.outgoing?.setHeader('x-request-id', requestId)
    await next()
    const isClientGone = isGone(c.env?.incoming)
    const answered: AnsweredRequest = {
      ...{ requestId, startedAtMs, method: c.req.method },
      route: routeTemplate(c) ?? 'unmatched',
      status: isClientGone ? goneStatus : String(c.res.status),
      // Log no other parameter of the query: one may be a token.
      projectId: getProjectId(c),
      // A refused request is no error of the server.
      error: isClientGone || c.error instanceof HttpFailure ? undefined : c.error,
    }
    // The client does not wait for the log.
    if (c.env?.outgoing) setImmediate(recordLater, services, answered)
    else record(services, answered)
  }
}

type AnsweredRequest = {
  readonly requestId: string
  readonly startedAtMs: number
  readonly method: string
  readonly route: string
  readonly status: string
  readonly projectId: string | undefined
  readonly error?: Error | undefined
}

/**
 * As {@link record}, for callers that do not await it: an unhandled error would end the process.
 */
function recordLater(services: ObserveDeps, answered: AnsweredRequest): void {
  try {
    record(services, answered)
  } catch (err) {
    services.log.error({ err, requestId: answered.requestId }, 'request not recorded')
  }
}

/** Writes a request to the log and the metrics. */
function record(
  { log, metrics, clock }: ObserveDeps,
  { requestId, startedAtMs, method, route, status, error, ...rest }: AnsweredRequest,
): void {
  const labels = { method, route, status }
  const durationMs = clock() - startedAtMs
  metrics.countSeconds(labels)(durationMs / 1000)
  const projectId = rest.projectId?.slice(0, 128)
  const line = { requestId, ...labels, durationMs, projectId }
  if (error) log[getLevel(error)]({ ...line, ...describe(error) }, 'request')
  else log[quiet.has(route) ? 'debug' : 'info'](line, 'request')
}

/** As {@link record}, for requests that differ by their id (a UUID) and duration only. */
export type RecordAgain = (requestId: string, startedAtMs: number) => void

/** Prepares the common parts of the log lines and metrics of many requests. */
export function prepareRecord(
  { log, metrics, clock }: ObserveDeps,
  {
    method,
    route,
    status,
    projectId,
  }: Omit<AnsweredRequest, 'requestId' | 'startedAtMs' | 'error'>,
): RecordAgain {
  const labels = { method, route, status }
  const writeLine = prepareLine(log, {
    level: quiet.has(route) ? 'debug' : 'info',
    bindings: { ...labels, projectId: projectId?.slice(0, 128) },
    message: 'request',
  })
  const count = metrics.countSeconds(labels)
  return (requestId, startedAtMs) => {
    const durationMs = clock() - startedAtMs
    count(durationMs / 1000)
    // A UUID needs no escapes.
    writeLine(`"requestId":"${requestId}","durationMs":${durationMs}`)
  }
}

/** nginx's status for a client that closed the connection before the response. */
const goneStatus = '499'

/** Whether the client aborted its request, which is not a failure of the server. */
const isGone = (incoming: IncomingMessage | Http2ServerRequest | undefined) =>
  incoming !== undefined && !incoming.complete && incoming.destroyed

const getLevel = (error: Error) => (isError(error) && getStatus(error) !== 500 ? 'warn' : 'error')

/** An expected error needs no stack. */
const describe = (error: Error) =>
  getLevel(error) === 'warn' ? { reason: (error as { code?: unknown }).code } : { err: error }

const quiet = new Set(['/health', '/ready', '/metrics', 'unmatched'])
