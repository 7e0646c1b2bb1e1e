import { avatarPath, nameAvatarPath, nftImagePath } from '@latchkey/wire'
import type { Context, MiddlewareHandler } from 'hono'
import { readHeader } from '../http/clientAddress.ts'
import { failureResponse } from '../http/failure.ts'
import { routeTemplate } from '../http/routeTemplate.ts'
import type { Services } from '../services.ts'
import { authorize, type Caller } from './authorize.ts'
import { authorizeProvider } from './authorizeProvider.ts'

/** Routes that need no project: the web app's own files, pictures, public facts, names, which clients ask for without one, and signed reports. */
const open = new Set([
  '/health',
  '/ready',
  '/metrics',
  '/hello',
  '/config.json',
  '/v1/supported-chains',
  '/getAnalyticsConfig',
  nftImagePath,
  avatarPath,
  nameAvatarPath,
])
const openPrefixes = [
  '/getWalletImage/',
  '/public/',
  '/v1/profile/',
  '/v1/names/',
  '/v1/onramp/webhooks/',
]

/** Whether a route needs no project. */
export const isOpenRoute = (route: string): boolean =>
  open.has(route) || openPrefixes.some((prefix) => route.startsWith(prefix))

/** Accepts only requests with a project that may be used from their origin. */
export function requireProject(services: Pick<Services, 'config' | 'projects'>): MiddlewareHandler {
  return async (c, next) => {
    const route = routeTemplate(c)
    if (route === undefined || isOpenRoute(route)) return next()
    const caller = {
      projectId: await readProjectId(c),
      origin: readHeader(c, 'origin'),
      site: readHeader(c, 'sec-fetch-site'),
      host: readHeader(c, 'host'),
    }
    const gate = (one: Caller) => authorize(services, one)
    const failure =
      (await gate(caller)) ?? (await authorizeProvider(gate, caller, c.req.query('providerId')))
    return failure === undefined ? next() : failureResponse(failure)
  }
}

/** From the query, the header that older clients send, or the body. The route itself validates the body. */
async function readProjectId(c: Context): Promise<string | undefined> {
  const projectId = c.req.query('projectId') ?? readHeader(c, 'x-project-id')
  if (projectId !== undefined || c.req.method === 'GET' || c.req.method === 'HEAD') return projectId
  try {
    const body: unknown = JSON.parse(await c.req.text())
    const id = body && typeof body === 'object' ? (body as { projectId?: unknown }).projectId : null
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
