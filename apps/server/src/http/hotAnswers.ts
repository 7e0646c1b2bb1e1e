import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { authorizeProvider } from '../projects/authorizeProvider.ts'
import type { Gate } from '../projects/gate.ts'
import { isOpenRoute } from '../projects/requireProject.ts'
import type { Services } from '../services.ts'
import { clientAddress, headerOf, originOf } from './clientAddress.ts'
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
  const encode = rememberBytes()
  const find = async (request: IncomingMessage, client: string) => {
    const url = request.url ?? ''
    const known = request.method === 'GET' ? kept.get(url) : undefined
    if (known === undefined) return undefined
    const body = await known.read()
    if (body === undefined) kept.delete(url)
    // Who is refused is told so by the framework.
    if (body === undefined || (await isForbidden(needs, request, known))) return undefined
    const bytes = encode(url, body)
    const lease = needs.answers.open(client, bytes.length)
    if (lease === undefined) return undefined
    const turn = await takeTurn(needs, known.route, originOf(request))
    if (turn === undefined) return { known, bytes, lease }
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
      const { known, bytes, lease } = found
      const requestId = randomUUID()
      const own = ['content-length', String(bytes.length), 'x-request-id', requestId]
      response.writeHead(200, [...known.headers, ...own])
      response.once('prefinish', () => needs.answers.send(response, lease))
      response.end(bytes)
      // All is with the system already, as it is unless the reader is slow or behind another answer.
      if (response.writableLength === 0) lease.release()
      else whenGone(response, lease.release)
      const { route, projectId } = known
      record(needs, { requestId, method: 'GET', route, status: '200', startedAtMs, projectId })
      return true
    },
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

/** The bytes of an answer by its URL, encoded again when the text is another: to do so each time takes longer than to send them. */
function rememberBytes() {
  const bodies = new Map<string, { readonly text: string; readonly bytes: Buffer }>()
  return (url: string, text: string): Buffer => {
    const known = bodies.get(url)
    if (known?.text === text) return known.bytes
    const bytes = Buffer.from(text)
    bodies.delete(url)
    if (bytes.length > maxBodyBytes) return bytes
    if (bodies.size >= maxBodies) bodies.delete(bodies.keys().next().value ?? '')
    bodies.set(url, { text, bytes })
    return bytes
  }
}
