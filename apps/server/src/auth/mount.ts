import type { HttpBindings } from '@hono/node-server'
import { type ApiFailure, isError, LatchkeyError, type Route } from '@latchkey/wire'
import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as z from 'zod'
import type { output } from 'zod/v4/core'
import { clientAddress } from '../http/clientAddress.ts'
import { getStatus } from '../http/failure.ts'
import { badInput, readBadInput } from '../http/request/badInput.ts'
import { describeIssue } from '../http/request/describeIssue.ts'
import { readJson } from '../http/request/readJson.ts'
import type { Auth } from './auth.ts'
import { checkProof, createNonce } from './session/proof.ts'
import { findLogin, type StoredLogin } from './session/session.ts'

/**
 * The default wait for errors that contain no time. The message of `MAIL_NOT_SENT` also names one
 * minute.
 */
const laterSeconds = 60

type ApiRoute = Route & { readonly method: 'POST'; readonly body: z.core.$ZodType }
type Env = { Bindings: Partial<HttpBindings> }

/** A call: the parsed body, the origin for limits, and the browser that the header names. */
export type RouteCall<R extends ApiRoute> = {
  readonly body: output<R['body']>
  readonly address: string
  readonly userAgent: string | undefined
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal
  readonly setCookie: (cookie: string) => void
}
/**
 * A call with the proof of a device key. `session` is set if the call sent an access token, which
 * was valid.
 */
export type ProvenCall<R extends ApiRoute> = RouteCall<R> & {
  readonly jkt: string
  readonly session: StoredLogin | undefined
}
/** A call of a signed-in user. */
export type SessionCall<R extends ApiRoute> = RouteCall<R> & {
  readonly jkt: string
  readonly session: StoredLogin
}
type Handler<Given, R extends ApiRoute> = (call: Given) => Promise<output<R['result']>>

type AuthHandler<Given, R extends ApiRoute> = (
  auth: Auth,
  call: Given,
) => Promise<output<R['result']>>

/** Answers a route that needs no proof. Our own errors from `work` become the response. */
export function addOpenRoute<R extends ApiRoute>(
  app: Hono<Env>,
  auth: Auth,
  { route, work }: { readonly route: R; readonly work: Handler<RouteCall<R>, R> },
): void {
  app.post(route.path, (c) => answer(auth, c, async () => work(await readCall(auth, c, route))))
}

/** Answers a route that needs a proof of a device key, with or without a session. */
export function addProvenRoute<R extends ApiRoute>(
  app: Hono<Env>,
  auth: Auth,
  { route, work }: { readonly route: R; readonly work: Handler<ProvenCall<R>, R> },
): void {
  app.post(route.path, (c) =>
    answer(auth, c, async () => {
      const { jkt, token } = await prove(auth, c)
      const session = token === undefined ? undefined : await findLogin(auth, { token, jkt })
      return work({ ...(await readCall(auth, c, route)), jkt, session })
    }),
  )
}

/**
 * Answers a route for signed-in users, who send a proof and an access token bound to the same key.
 */
export function addSessionRoute<R extends ApiRoute>(
  app: Hono<Env>,
  auth: Auth,
  { route, work }: { readonly route: R; readonly work: Handler<SessionCall<R>, R> },
): void {
  addProvenRoute(app, auth, {
    route,
    work: async ({ session, ...call }) => {
      if (session === undefined) throw new LatchkeyError('SIGNED_OUT')
      return work({ ...call, session } as SessionCall<R>)
    },
  })
}

/** Mounts routes whose work takes `auth` and the call. */
export const createMounts = (app: Hono<Env>, auth: Auth) => ({
  open: <R extends ApiRoute>(route: R, work: AuthHandler<RouteCall<R>, R>) =>
    addOpenRoute(app, auth, { route, work: (call) => work(auth, call) }),
  proven: <R extends ApiRoute>(route: R, work: AuthHandler<ProvenCall<R>, R>) =>
    addProvenRoute(app, auth, { route, work: (call) => work(auth, call) }),
  session: <R extends ApiRoute>(route: R, work: AuthHandler<SessionCall<R>, R>) =>
    addSessionRoute(app, auth, { route, work: (call) => work(auth, call) }),
})

async function prove(auth: Auth, c: Context) {
  const header = c.req.header('authorization')
  const token = /^DPoP ([A-Za-z0-9_-]{43})$/.exec(header ?? '')?.[1]
  if (header !== undefined && token === undefined) throw new LatchkeyError('PROOF_INVALID')
  const body = new Uint8Array(await c.req.arrayBuffer())
  const proven = { method: c.req.method, path: c.req.path, body, token }
  return { token, jkt: await checkProof(auth, { proof: c.req.header('dpop'), proven }) }
}

async function readCall<R extends ApiRoute>(
  { config }: Auth,
  c: Context<Env>,
  route: R,
): Promise<RouteCall<R>> {
  const json = await readJson(c)
  if ('failure' in json) throw badInput(json.failure.field, json.failure.description, 'PARSE_ERROR')
  const parsed = z.safeParse(route.body, json.json, {
    error: (issue) => describeIssue(issue, 'body'),
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const field = issue?.path.join('.') || 'body'
    throw badInput(
      field,
      issue?.message ?? 'The body is not valid',
      field === 'email' ? 'EMAIL_INVALID' : 'INVALID_PARAMS',
    )
  }
  return {
    body: parsed.data as output<R['body']>,
    address: clientAddress(
      {
        socketAddress: c.env?.incoming?.socket.remoteAddress,
        forwardedFor: c.req.header('x-forwarded-for'),
      },
      config.trustedProxies,
    ),
    userAgent: c.req.header('user-agent'),
    signal: c.req.raw.signal,
    setCookie: (cookie) => c.header('set-cookie', cookie, { append: true }),
  }
}

async function answer(auth: Auth, c: Context, work: () => Promise<unknown>): Promise<Response> {
  c.header('cache-control', 'no-store')
  c.header('dpop-nonce', createNonce(auth))
  try {
    return c.json((await work()) as object)
  } catch (error) {
    if (!isError(error)) throw error
    const failure = toErrorResponse(error)
    auth.log.debug({ route: c.req.path, code: error.code }, 'refused')
    if (failure.status === 401) c.header('www-authenticate', 'DPoP')
    const seconds = failure.body.data.seconds
    if (failure.status === 503) c.header('retry-after', String(seconds ?? laterSeconds))
    if (failure.status === 429 && seconds !== undefined) c.header('retry-after', String(seconds))
    return c.json(failure.body, failure.status)
  }
}

/** The body and status of the response for a `LatchkeyError`. */
export function toErrorResponse(error: LatchkeyError): {
  body: ApiFailure
  status: ContentfulStatusCode
} {
  return {
    status: getStatus(error),
    body: {
      status: 'FAILED',
      code: error.code,
      data: error.data as Record<string, string | number>,
      reasons: [
        readBadInput(error) ?? { field: error.code.toLowerCase(), description: error.message },
      ],
    },
  }
}

/**
 * The reason for refusing a call of an older frame, which does not show what the user has to see.
 */
export const outdatedPage = 'this page is older than the server. Reload it'
