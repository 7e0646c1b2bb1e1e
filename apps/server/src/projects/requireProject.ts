import { avatarPath, nameAvatarPath, nftImagePath } from '@latchkey/wire'
import type { MiddlewareHandler } from 'hono'
import { readHeader } from '../http/clientAddress.ts'
import { HttpFailure } from '../http/failure.ts'
import { readProjectId, setProjectId } from '../http/request/projectId.ts'
import { routeTemplate } from '../http/routeTemplate.ts'
import type { Services } from '../services.ts'
import { authorize, type Caller } from './authorize.ts'
import { authorizeProvider } from './authorizeProvider.ts'

/**
 * Routes that need no project: the web app's own files, pictures, public facts, names, which
 * clients request without a project, and signed reports.
 */
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
    const projectId = await readProjectId(c)
    const caller = {
      projectId,
      origin: readHeader(c, 'origin'),
      site: readHeader(c, 'sec-fetch-site'),
      host: readHeader(c, 'host'),
    }
    const check = (one: Caller) => authorize(services, one)
    const failure =
      (await check(caller)) ?? (await authorizeProvider(check, caller, c.req.query('providerId')))
    if (failure !== undefined) throw new HttpFailure(failure)
    if (projectId !== undefined) setProjectId(c, projectId)
    return next()
  }
}
