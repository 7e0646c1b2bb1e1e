import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { authorizeProvider } from '../projects/authorizeProvider.ts'
import type { Gate } from '../projects/gate.ts'
import { isOpenRoute } from '../projects/requireProject.ts'
import type { Services } from '../services.ts'
import { clientAddress, originOf } from './clientAddress.ts'
import { takeTurn } from './limitRate.ts'
import { record } from './observe.ts'
import { routeTemplate } from './routeTemplate.ts'

type Needs = Pick<Services, 'kv' | 'config' | 'log' | 'metrics' | 'clock' | 'answers'> & {
  readonly authorize: Gate
}

/** What the answer is now; undefined where it must be made anew. */
type ReadBody = () => Promise<string | undefined> | string

type Headers = Readonly<Record<string, string>>

/** Answers of GET routes that are kept anyway, given without the framework. */
export type HotAnswers = {
  /** Says that whoever asks as this request does is to get what `read` gives, as JSON. Call it for answers with 200 only. */
  keep(c: Context, read: ReadBody, headers?: Headers): void
  /** Answers a request that is kept, or resolves to false: then it is the framework's. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>
}

type Kept = {
  readonly route: string
  readonly projectId: string | undefined
  readonly providerId: string | undefined
  readonly headers: Headers
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
  const find = async (request: IncomingMessage) => {
    const url = request.url ?? ''
    const known = request.method === 'GET' ? kept.get(url) : undefined
    if (known === undefined) return undefined
    const body = await known.read()
    if (body === undefined) kept.delete(url)
    // Who is refused is told so by the framework.
    if (body === undefined || (await isRefused(needs, request, known))) return undefined
    return { known, body }
  }
  return {
    keep(c, read, headers = {}) {
      const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
      const url = incoming?.url ?? ''
      const route = routeTemplate(c)
      if (url === '' || url.length > maxUrl || route === undefined) return
      if (kept.size >= maxKept) kept.delete(kept.keys().next().value ?? '')
      kept.set(url, {
        route,
        projectId: c.req.query('projectId'),
        providerId: c.req.query('providerId'),
        headers,
        read,
      })
    },
    async answer(request, response) {
      const startedAtMs = needs.clock()
      const found = await find(request).catch(() => undefined)
      if (found === undefined) return false
      const { known, body } = found
      const length = Buffer.byteLength(body)
      const client = clientAddress(originOf(request), needs.config.trustedProxies)
      const lease = needs.answers.open(client, length)
      if (lease === undefined) return false
      response.once('close', lease.release)
      response.once('prefinish', () => needs.answers.send(response, lease))
      const requestId = randomUUID()
      response.setHeader('x-request-id', requestId)
      response.writeHead(200, {
        ...known.headers,
        'content-type': 'application/json',
        'content-length': length,
      })
      response.end(body)
      const { route, projectId } = known
      record(needs, { requestId, method: 'GET', route, status: '200', startedAtMs, projectId })
      return true
    },
  }
}

async function isRefused(needs: Needs, request: IncomingMessage, known: Kept): Promise<boolean> {
  const header = (name: string) => [request.headers[name]].flat()[0]
  if (!isOpenRoute(known.route)) {
    const caller = {
      projectId: known.projectId ?? header('x-project-id'),
      origin: header('origin'),
      site: header('sec-fetch-site'),
      host: header('host'),
    }
    if (await needs.authorize(caller)) return true
    if (await authorizeProvider(needs.authorize, caller, known.providerId)) return true
  }
  const turn = await takeTurn(needs, known.route, originOf(request))
  return turn !== undefined
}
