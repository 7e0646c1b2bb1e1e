import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { type Awaitable, recoverFrom, whenReady } from '../awaitable.ts'
import { authorizeProvider } from '../projects/authorizeProvider.ts'
import type { ProjectCheck } from '../projects/createProjectCheck.ts'
import { isOpenRoute } from '../projects/requireProject.ts'
import type { Services } from '../services.ts'
import { clientAddress, getHeader, getOrigin } from './clientAddress.ts'
import type { MemoryReservation } from './createResponseMemory.ts'
import { createEncoder, type EncodedResponse } from './encodeResponse.ts'
import type { Failure } from './failure.ts'
import { takeClientTurn } from './limitRate.ts'
import { prepareRecord, type RecordAgain } from './observe.ts'
import { onResponseEnd } from './onResponseEnd.ts'
import { routeTemplate } from './routeTemplate.ts'

type ResponseCacheDeps = Pick<
  Services,
  'kv' | 'config' | 'log' | 'metrics' | 'clock' | 'responseMemory'
> & {
  readonly authorize: ProjectCheck
  /** Headers of every response of the server. */
  readonly headers: Headers
}

/** Reads the current response. Undefined if the route has to compute it again. */
type ReadBody = () => Awaitable<string | undefined>

type Headers = Readonly<Record<string, string>>

/** Serves cached responses of GET routes without the framework. */
export type ResponseCache = {
  /**
   * Registers `read` for requests equal to this one: they get its result as JSON. Call it only for
   * answers with status 200.
   */
  keep(c: Context, read: ReadBody, headers?: Headers): void
  /**
   * Answers a request from the cache, synchronously if possible. False if the cache has no
   * response: the response is untouched then, and the framework answers.
   */
  answer(request: IncomingMessage, response: ServerResponse): Awaitable<boolean>
}

type CachedResponse = {
  readonly route: string
  readonly isOpen: boolean
  readonly projectId: string | undefined
  readonly providerId: string | undefined
  /** Names and values alternate, as Node expects raw headers. */
  readonly headers: readonly string[]
  readonly read: ReadBody
  /** Made for the first request that is answered from here. */
  record?: RecordAgain
}

type AdmittedResponse = {
  readonly encoded: EncodedResponse
  readonly reservation: MemoryReservation
}
type Sending = {
  readonly admitted: AdmittedResponse
  readonly known: CachedResponse
  readonly startedAtMs: number
}

const maxKept = 2_000
const maxUrl = 1_024

/**
 * Project, origin, rate limit, headers, log and metrics are the same as in the framework. Only the
 * function that reads the response is stored, by URL: if the response expires at its source, it
 * expires here, and no client gets a response that it is not allowed to read.
 */
export function createResponseCache(deps: ResponseCacheDeps): ResponseCache {
  const answers = new Map<string, CachedResponse>()
  const encode = createEncoder()
  return {
    keep(c, read, headers = {}) {
      const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
      const url = incoming?.url ?? ''
      const route = routeTemplate(c)
      if (url === '' || url.length > maxUrl || route === undefined) return
      if (answers.size >= maxKept) answers.delete(answers.keys().next().value ?? '')
      const all = { ...deps.headers, ...headers, 'content-type': 'application/json' }
      answers.set(url, {
        route,
        isOpen: isOpenRoute(route),
        projectId: c.req.query('projectId'),
        providerId: c.req.query('providerId'),
        headers: Object.entries(all).flat(),
        read,
      })
    },
    answer(request, response) {
      const startedAtMs = deps.clock()
      const known = request.method === 'GET' ? answers.get(request.url ?? '') : undefined
      // The framework compares ETags.
      if (known === undefined || request.headers['if-none-match'] !== undefined) return false
      return whenReady(admit(request, known), (admitted) => {
        if (admitted === undefined) return false
        send(response, { admitted, known, startedAtMs })
        return true
      })
    },
  }

  /** The response and the memory for it, or undefined if the framework is to answer. */
  function admit(
    request: IncomingMessage,
    known: CachedResponse,
  ): Awaitable<AdmittedResponse | undefined> {
    try {
      return recoverFrom(read(request, known), () => undefined)
    } catch {
      return undefined
    }
  }

  function read(request: IncomingMessage, known: CachedResponse) {
    const url = request.url ?? ''
    // Read before waiting: the address of a connection that has ended is unknown, so the rate limit
    // would count no client.
    const client = clientAddress(getOrigin(request), deps.config.trustedProxies)
    return whenReady(known.read(), (body) => {
      if (body === undefined) {
        answers.delete(url)
        return undefined
      }
      // The framework tells the client why the request was refused.
      return whenReady(checkProject(deps, request, known), (failure) =>
        failure ? undefined : reserve(client, known, encode(url, body)),
      )
    })
  }

  function reserve(client: string, { route }: CachedResponse, encoded: EncodedResponse) {
    const reservation = deps.responseMemory.open(client, encoded.length)
    if (reservation === undefined) return undefined
    return whenReady(
      takeClientTurn(deps, route, client),
      (failure): AdmittedResponse | undefined => {
        if (failure === undefined) return { encoded, reservation }
        reservation.release()
        return undefined
      },
    )
  }

  function send(response: ServerResponse, { known, admitted, startedAtMs }: Sending) {
    const { encoded, reservation } = admitted
    const requestId = randomUUID()
    const own = ['content-length', String(encoded.length), 'x-request-id', requestId]
    response.writeHead(200, known.headers.concat(own))
    response.end(encoded.body, 'latin1')
    if (response.writableLength === 0) reservation.release()
    else holdUntilSent(response, reservation)
    const { route, projectId } = known
    known.record ??= prepareRecord(deps, { method: 'GET', route, status: '200', projectId })
    known.record(requestId, startedAtMs)
  }

  // The operating system takes the whole response at once, unless the reader is slow or still waits
  // for the previous response.
  function holdUntilSent(response: ServerResponse, reservation: MemoryReservation) {
    if (response.socket) deps.responseMemory.send(response, reservation)
    else response.once('prefinish', () => deps.responseMemory.send(response, reservation))
    onResponseEnd(response, () => reservation.release())
  }
}

function checkProject(
  { authorize }: Pick<ResponseCacheDeps, 'authorize'>,
  request: IncomingMessage,
  { isOpen, projectId, providerId }: CachedResponse,
): Awaitable<Failure | undefined> {
  if (isOpen) return undefined
  const caller = {
    projectId: projectId ?? getHeader(request, 'x-project-id'),
    origin: getHeader(request, 'origin'),
    site: getHeader(request, 'sec-fetch-site'),
    host: getHeader(request, 'host'),
  }
  return whenReady(
    authorize(caller),
    (failure) => failure ?? authorizeProvider(authorize, caller, providerId),
  )
}
