import type { HttpBindings } from '@hono/node-server'
import {
  siwxMeRoute,
  siwxNonceRoute,
  siwxRevokeRoute,
  siwxSessionsRoute,
  siwxSignOutRoute,
  siwxVerifyRoute,
} from '@latchkey/wire'
import { Hono } from 'hono'
import { readHeader } from '../http/clientAddress.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { preflight } from '../http/headers.ts'
import { takeClientToken } from '../http/limitRate.ts'
import { parseBody } from '../http/request/parse.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import {
  endReplaced,
  findSession,
  isAnySignOut,
  isOnSite,
  noSession,
  readOriginPage,
  type SiwxContext,
  writeCookie,
} from './sessionAccess.ts'
import { signIn } from './signIn.ts'
import {
  createSignInNonce,
  endSiwxSession,
  listSessions,
  type StoredSiwxSession,
  toSiwxSession,
} from './siwxStore.ts'

/** The dependencies of signing in. */
export type SiwxDeps = Pick<Services, 'db' | 'kv' | 'clock' | 'config'> & {
  readonly upstreams: Upstreams
}

/** The rate limit for sign-ins of one client: nonces and messages together. */
const signInBucket = { capacity: 60, refillPerSecond: 1 / 2 }

const signedOut = { status: 'SUCCESS' } as const

/** Signing in with a wallet (CAIP-122), for pages of a project and their backends. */
export function siwxRoutes(
  services: Omit<SiwxDeps, 'upstreams'>,
  upstreams: Upstreams,
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const deps: SiwxDeps = { ...services, upstreams }
  return new Hono<{ Bindings: Partial<HttpBindings> }>()
    .use('/v1/siwx/*', async (c, next) => {
      await next()
      allowExactOrigin(c)
    })
    .options('/v1/siwx/*', () => preflight())
    .post(siwxNonceRoute.path, async (c) => {
      const page = readOriginPage(c)
      await takeSignInTurn(deps, c)
      return c.json(await createSignInNonce(deps, page))
    })
    .post(siwxVerifyRoute.path, (c) => verify(deps, c))
    .get(siwxMeRoute.path, (c) => withSession(deps, c, (session) => describe(session)))
    .get(siwxSessionsRoute.path, (c) =>
      withSession(deps, c, async (session) => ({
        sessions: (await listSessions(deps, session)).map(toSiwxSession),
      })),
    )
    .post(siwxSignOutRoute.path, async (c) => {
      const session = await findSession(deps, c)
      if (session === undefined) {
        if (!isAnySignOut(c)) throw new HttpFailure(noSession)
        return c.json(signedOut, 200, allowCookies)
      }
      await endSiwxSession(deps, session, session.id)
      if (session.csrf !== null)
        writeCookie(c, deps, { projectId: session.project_id, token: '', maxAge: 0 })
      return c.json(signedOut)
    })
    .post(siwxRevokeRoute.path, async (c) => {
      const body = await parseBody(c, siwxRevokeRoute.body)
      return withSession(deps, c, async (session) => {
        if (!(await endSiwxSession(deps, session, body.id))) throw new HttpFailure(notThere)
        return { status: 'SUCCESS' }
      })
    })
}

async function verify(deps: SiwxDeps, c: SiwxContext): Promise<Response> {
  const body = await parseBody(c, siwxVerifyRoute.body)
  const { keep = 'token', ...signed } = body
  const page = readOriginPage(c)
  if (keep === 'cookie' && !isOnSite(c)) throw new HttpFailure(otherSite, allowCookies)
  await takeSignInTurn(deps, c)
  const { session, token } = await signIn(deps, { signed, page, keep })
  if (keep === 'token') return c.json({ session: toSiwxSession(session), token })
  await endReplaced(deps, c, page.projectId)
  const maxAge = Math.floor((session.expires_at.getTime() - deps.clock()) / 1000)
  writeCookie(c, deps, { projectId: page.projectId, token, maxAge })
  return c.json(describe(session))
}

const describe = (session: StoredSiwxSession) => ({
  session: toSiwxSession(session),
  ...(session.csrf !== null && { csrfToken: session.csrf }),
})

/** Responds with the result of `act` for the session of the request. */
export async function withSession(
  deps: SiwxDeps,
  c: SiwxContext,
  act: (session: StoredSiwxSession) => object | Promise<object>,
): Promise<Response> {
  const session = await findSession(deps, c)
  if (session === undefined) throw new HttpFailure(noSession)
  return c.json(await act(session))
}

/**
 * Responses are only for the requesting page: no other page may read them, and no cache keeps them.
 */
export function allowExactOrigin(c: SiwxContext): void {
  const { headers } = c.res
  headers.set('cache-control', 'no-store')
  headers.append('vary', 'Origin')
  const origin = readHeader(c, 'origin')
  if (origin === undefined) return
  headers.set('access-control-allow-origin', origin)
  // Only from that site does a browser send the cookie at all.
  if (isOnSite(c)) headers.set('access-control-allow-credentials', 'true')
}

/**
 * Lets a page of another site read a response without secrets. The page requested it with cookies,
 * but its browser does not send any of them.
 */
const allowCookies = { 'access-control-allow-credentials': 'true' }

/** Counts a sign-in of the client. Throws {@link HttpFailure} if it has made too many. */
export const takeSignInTurn = (deps: SiwxDeps, c: SiwxContext): Promise<void> =>
  takeClientToken(deps, c, { name: 'siwx', bucket: signInBucket, problem: 'Too many sign-ins' })

const otherSite = badRequest(
  'keep',
  'Cookies work only for pages on the site of this server, over https or on this machine. Request a token',
)
const notThere: Failure = { status: 404, field: 'id', description: 'There is no such session' }
