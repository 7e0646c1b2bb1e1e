import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { authorizeProvider } from '../projects/authorizeProvider.ts'
import type { Gate } from '../projects/gate.ts'
import { isOpenRoute } from '../projects/requireProject.ts'
import type { Services } from '../services.ts'
import { clientAddress, headerOf, originOf } from './clientAddress.ts'
import type { Lease } from './createAnswers.ts'
import { takeTurn } from './limitRate.ts'
import { record } from './observe.ts'
import { routeTemplate } from './routeTemplate.ts'
import { whenGone } from './whenGone.ts'

type Needs = Pick<Services, 'kv' | 'config' | 'log' | 'metrics' | 'clock' | 'answers'> & {
  readonly authorize: Gate
  /** Of every response of the server. */
  readonly headers: Headers
}

/** What the answer is now; undefined where it must be made anew. */
type ReadBody = () => Promise<string | undefined> | string

type Headers = Readonly<Record<string, string>>

/** Answers of GET routes that are kept anyway, given without the framework. */
export type HotAnswers = {
  /** Says that whoever asks as this request does is to get what `read` gives, as JSON. Call it for answers with 200 only. */
  keep(c: Context, read: ReadBody, headers?: Headers): void
  /**
   * Answers a request that is kept, or resolves to false: then it is the framework's, and nothing is done to the response.
   */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

type Kept = {
  readonly route: string
  readonly isOpen: boolean
  readonly projectId: string | undefined
  readonly providerId: string | undefined
  /** Names and values in turn, which Node writes as they are. */
  readonly headers: readonly string[]
  readonly read: ReadBody
}

const maxKept = 2_000
const maxUrl = 1_024

/**
 * Project, origin, rate limit, headers, log and metrics are those of the framework's way. Of an answer only the way to it is
 * held, by URL: what ends it where it is kept ends it here, and what a client may not have it does not get.
 */
export function createHotAnswers(needs: Needs): HotAnswers {
  const kept = new Map<string, Kept>()
  const encode = createEncoder()
  const find = async (request: IncomingMessage, client: string) => {
    const url = request.url ?? ''
    const known = request.method === 'GET' ? kept.get(url) : undefined
    if (known === undefined) return undefined
    const body = await known.read()
    if (body === undefined) kept.delete(url)
    // Who is refused is told so by the framework.
    if (body === undefined || (await isForbidden(needs, request, known))) return undefined
    const encoded = encode(url, body)
    const lease = needs.answers.open(client, encoded.length)
    if (lease === undefined) return undefined
    const turn = await takeTurn(needs, known.route, originOf(request))
    if (turn === undefined) return { known, encoded, lease }
    lease.release()
    return undefined
  }
  return {
    keep(c, read, headers = {}) {
      const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
      const url = incoming?.url ?? ''
      const route = routeTemplate(c)
      if (url === '' || url.length > maxUrl || route === undefined) return
      if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? '')
      const all = { ...needs.headers, ...headers, 'content-type': 'application/json' }
      kept.set(url, {
        route,
        isOpen: isOpenRoute(route),
        projectId: c.req.query('projectId'),
        providerId: c.req.query('providerId'),
        headers: Object.entries(all).flat(),
        read,
      })
    },
    async answer(request, response) {
      const startedAtMs = needs.clock()
      const client = clientAddress(originOf(request), needs.config.trustedProxies)
      const found = await find(request, client).catch(() => undefined)
      if (found === undefined) return false
      const { known, encoded, lease } = found
      const requestId = randomUUID()
      const own = ['content-length', String(encoded.length), 'x-request-id', requestId]
      response.writeHead(200, [...known.headers, ...own])
      response.end(encoded.body, 'latin1')
      if (response.writableLength === 0) lease.release()
      else holdUntilSent(response, lease)
      const { route, projectId } = known
      record(needs, { requestId, method: 'GET', route, status: '200', startedAtMs, projectId })
      return true
    },
  }

  // The system has all of an answer at once unless its reader is slow, or still waits for the answer before.
  function holdUntilSent(response: ServerResponse, lease: Lease) {
    if (response.socket) needs.answers.send(response, lease)
    else response.once('prefinish', () => needs.answers.send(response, lease))
    whenGone(response, () => lease.release())
  }
}

async function isForbidden(
  { authorize }: Pick<Needs, 'authorize'>,
  request: IncomingMessage,
  { isOpen, projectId, providerId }: Kept,
): Promise<boolean> {
  if (isOpen) return false
  const caller = {
    projectId: projectId ?? headerOf(request, 'x-project-id'),
    origin: headerOf(request, 'origin'),
    site: headerOf(request, 'sec-fetch-site'),
    host: headerOf(request, 'host'),
  }
  return Boolean(
    (await authorize(caller)) ?? (await authorizeProvider(authorize, caller, providerId)),
  )
}

const maxBodies = 100
const maxBodyBytes = 131_072
const maxTextBytes = 16_384

type Encoded = { readonly text: string; readonly body: string | Buffer; readonly length: number }

/**
 * Encodes the text of an answer, and keeps the result by URL until the text changes. Node sends a short text together with
 * the headers in one write; longer or other than ASCII, its bytes are sent as they are.
 */
function createEncoder() {
  const bodies = new Map<string, Encoded>()
  return (url: string, text: string): Encoded => {
    const known = bodies.get(url)
    if (known?.text === text) return known
    const length = Buffer.byteLength(text)
    const isShort = length === text.length && length <= maxTextBytes
    const encoded = { text, body: isShort ? text : Buffer.from(text), length }
    bodies.delete(url)
    if (length > maxBodyBytes) return encoded
    if (bodies.size >= maxBodies) bodies.delete(bodies.keys().next().value ?? '')
    bodies.set(url, encoded)
    return encoded
  }
}
