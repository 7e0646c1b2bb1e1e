import type { HttpBindings } from '@hono/node-server'
import { type ApiFailure, isError, LatchkeyError } from '@latchkey/wire'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Auth } from '../auth/auth.ts'
import { toErrorResponse } from '../auth/mount.ts'
import { authRoutes } from '../auth/routes.ts'
import { oauthRoutes } from '../auth/social/oauthRoutes.ts'
import type { AssetSources } from '../balance/listAssets.ts'
import type { Bundlers } from '../bundler/createBundlers.ts'
import { postBundler } from '../bundler/routes.ts'
import type { Config } from '../config.ts'
import { openDescriptions } from '../descriptions/openDescriptions.ts'
import { descriptionRoutes } from '../descriptions/routes.ts'
import { failureResponse, HttpFailure, unknownPath } from '../http/failure.ts'
import { frameBodyMaxBytes, limitBody } from '../http/limitBody.ts'
import { getClientOrigin, takeTurn } from '../http/limitRate.ts'
import { limitResponseMemory } from '../http/limitResponseMemory.ts'
import { observe } from '../http/observe.ts'
import { routeTemplate } from '../http/routeTemplate.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Outbound } from '../outbound/createOutbound.ts'
import { frameAncestors } from '../projects/frameAncestors.ts'
import { trustedOrigins } from '../projects/trustedPages.ts'
import { riskRoutes } from '../risks/routes.ts'
import { compareNodes } from '../rpc/compareNodes.ts'
import { postRpc } from '../rpc/routes.ts'
import type { Services } from '../services.ts'
import type { PriceSources } from '../simulation/readListedPrices.ts'
import { simulationRoutes } from '../simulation/routes.ts'
import { frameSessionRoutes } from '../smartSessions/frameRoutes.ts'
import type { SmartSessionsDeps } from '../smartSessions/session.ts'
import { vaultRoutes } from '../vault/routes.ts'
import type { Vault } from '../vault/vault.ts'
import { assetRoutes } from './assetRoutes.ts'
import { delegationRoutes } from './delegationRoutes.ts'
import { originHeaders } from './frameHeaders.ts'
import { reportRoute } from './reportRoute.ts'
import { serveFrame } from './serveFrame.ts'
import { tokenNameRoutes } from './tokenNameRoutes.ts'

/**
 * The HTTP side of the secure frame's origin: its pages, and `/api` and `/rpc` for its own scripts
 * only. It has no CORS and does not respond to any other host name.
 */
export function createFrameServer(
  services: Services,
  {
    auth,
    vault,
    upstreams,
    outbound,
    bundlers,
    sessions,
    balances,
  }: {
    readonly auth: Auth
    readonly vault: Vault
    readonly upstreams: Upstreams
    readonly outbound: Outbound
    readonly bundlers: Bundlers
    readonly sessions: SmartSessionsDeps
    readonly balances: AssetSources & PriceSources
  },
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const { config, log } = services
  const warn = (problem: string) => log.warn({ problem }, 'a description is left out')
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  app.use(observe(services), headers(config), onlyAs(config.frame.url), limit(services))
  app.use(limitResponseMemory({ config, responseMemory: services.frameResponseMemory }))
  app.use('/api/*', ownScriptsOnly(config))
  app.use('/rpc/*', ownScriptsOnly(config))
  const tooLarge = () =>
    refuse(413, 'body', `The request body is larger than ${frameBodyMaxBytes} bytes`)
  app.use(limitBody({ maxBytes: frameBodyMaxBytes, refuse: tooLarge }))
  app.route('/', authRoutes(auth))
  app.route('/', oauthRoutes(auth))
  app.route('/', vaultRoutes(vault))
  app.route('/', tokenNameRoutes(services, { auth, upstreams, prices: balances }))
  app.route('/', assetRoutes(auth, balances))
  app.route('/', simulationRoutes(services, { auth, upstreams, prices: balances }))
  app.route('/', riskRoutes(services, { auth, upstreams, outbound, tokens: balances }))
  app.route('/', delegationRoutes(services, { vault, bundlers }))
  app.route('/', frameSessionRoutes(services, { auth, sessions }))
  app.route('/', descriptionRoutes(auth, openDescriptions(config, warn)))
  const compared = compareNodes(upstreams)
  app.post('/rpc/:chainId', (c) =>
    postRpc(services, { c, upstreams: compared, chain: c.req.param('chainId') }),
  )
  app.post('/rpc/:chainId/bundler', (c) =>
    postBundler(services, { c, bundlers, chain: c.req.param('chainId') }),
  )
  app.route('/', reportRoute(services))
  app.get('/health', (c) => c.json({ status: 'OK' }))
  const pages = {
    getAncestors: (projectId: string) => frameAncestors(services, projectId),
    getTrusted: (projectId: string) => trustedOrigins(services, projectId),
  }
  app.get('*', async (c) => {
    const asked = { url: new URL(c.req.url), acceptEncoding: c.req.header('accept-encoding') }
    return (await serveFrame(config, asked, pages)) ?? nothing()
  })
  app.notFound(nothing)
  app.onError(answerFailure)
  return app
}

function answerFailure(error: unknown): Response {
  if (error instanceof HttpFailure) return error.getResponse()
  const { body, status } = toErrorResponse(isError(error) ? error : new LatchkeyError('INTERNAL'))
  const { seconds } = body.data
  const headers = status === 503 && seconds ? { 'retry-after': String(seconds) } : undefined
  return Response.json(body, { status, ...(headers && { headers }) })
}

const nothing = () => failureResponse(unknownPath)

function headers(config: Config): MiddlewareHandler {
  const all = originHeaders(config)
  return async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(all)) c.header(name, value)
    if (!c.res.headers.has('content-security-policy'))
      c.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  }
}

/**
 * The frame responds only to its own host name; under another name, a page of another origin could
 * be mistaken for it.
 */
function onlyAs(frameUrl: string): MiddlewareHandler {
  const { host } = new URL(frameUrl)
  return async (c, next) => {
    if (c.req.header('host') === host) return next()
    const description = 'The secure frame has another host name'
    throw new HttpFailure({ status: 421, field: 'host', description })
  }
}

/** The rate, memory and body limits, with errors in the format of the frame's scripts. */
function limit(
  services: Pick<Services, 'kv' | 'config' | 'log'>,
): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async (c, next) => {
    const route = routeTemplate(c)
    if (route === '/health') return next()
    const failure = await takeTurn(services, `frame ${route ?? 'other'}`, getClientOrigin(c))
    if (failure === undefined) return next()
    const seconds = Math.max(1, Math.ceil(failure.retryAfterSeconds ?? 1))
    const { body, status } = toErrorResponse(
      new LatchkeyError('RATE_LIMITED', { data: { seconds } }),
    )
    return Response.json(body, { status, headers: { 'retry-after': String(seconds) } })
  }
}

/**
 * Accepts only requests that a script of exactly this origin sends, according to the browser: POST
 * with JSON.
 */
function ownScriptsOnly({ frame }: Pick<Config, 'frame'>): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method !== 'POST')
      return refuse(405, 'method', `${c.req.method} is not allowed here, only POST`)
    const site = c.req.header('sec-fetch-site')
    const foreign =
      c.req.header('origin') !== frame.url || (site ?? 'same-origin') !== 'same-origin'
    if (foreign) return refuse(403, 'origin', 'Only the secure frame may send this request')
    const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase()
    if (type !== 'application/json')
      return refuse(415, 'content-type', 'content-type must be "application/json"')
    return next()
  }
}

function refuse(status: 403 | 405 | 413 | 415, field: string, description: string): Response {
  const code = status === 403 ? 'ORIGIN_NOT_ALLOWED' : 'INVALID_REQUEST'
  const body: ApiFailure = { status: 'FAILED', code, data: {}, reasons: [{ field, description }] }
  return Response.json(body, { status, ...(status === 405 && { headers: { allow: 'POST' } }) })
}
