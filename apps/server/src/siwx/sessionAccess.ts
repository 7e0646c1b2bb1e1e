import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { csrfHeader, siwxSignOutRoute } from '@latchkey/wire'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Config } from '../config.ts'
import { readHeader } from '../http/clientAddress.ts'
import { badRequest, type Failure, HttpFailure } from '../http/failure.ts'
import { getProjectId } from '../http/request/projectId.ts'
import { missingProject } from '../projects/authorize.ts'
import {
  endSiwxSession,
  findSiwxSession,
  type SiwxPage,
  type SiwxStore,
  type StoredSiwxSession,
} from './siwxStore.ts'

export type SiwxContext = Context<{ Bindings: Partial<HttpBindings> }>
type SessionAccessDeps = SiwxStore & { readonly config: Pick<Config, 'publicUrl'> }

/**
 * The requesting page. Throws {@link HttpFailure} if it cannot sign in: only a browser reports the
 * origin of a request.
 */
export function readOriginPage(c: SiwxContext): SiwxPage {
  const projectId = getProjectId(c)
  const origin = readHeader(c, 'origin')
  if (projectId === undefined) throw new HttpFailure(missingProject)
  if (origin === undefined || !/^https?:\/\//.test(origin) || !URL.canParse(origin))
    throw new HttpFailure(noOrigin)
  return { projectId, origin: new URL(origin).origin }
}

/**
 * The session of a request. A token is valid on the page that it was issued to, and without an
 * origin, for example on the app's own backend. A cookie is valid only on that page, and for a
 * change other than `isAnySignOut` only with its CSRF token. Throws {@link HttpFailure} for a
 * wrong CSRF token. Undefined if there is no session.
 */
export async function findSession(
  deps: SessionAccessDeps,
  c: SiwxContext,
): Promise<StoredSiwxSession | undefined> {
  const projectId = getProjectId(c)
  if (projectId === undefined) throw new HttpFailure(missingProject)
  const bearer = bearerPattern.exec(readHeader(c, 'authorization') ?? '')?.[1]
  const cookie = bearer === undefined ? getCookie(c, cookieName(deps, projectId)) : undefined
  const token = bearer ?? cookie
  const session = token && (await findSiwxSession(deps, { token, projectId }))
  if (!session) return undefined
  const isCookie = session.csrf !== null
  if (isCookie !== (cookie !== undefined) || !isFrom(c, session)) return undefined
  if (isCookie && isChange(c) && !hasCsrfToken(c, session.csrf ?? ''))
    throw new HttpFailure({
      status: 403,
      field: csrfHeader,
      description: `${csrfHeader} is not valid`,
    })
  return session
}

// Older clients have a token in the form of a JWT, whose last part is the secret.
const bearerPattern = /^Bearer (?:[\w-]{1,200}\.[\w-]{1,1000}\.)?([\w-]{20,100})$/i

function isFrom(c: SiwxContext, { origin, csrf }: StoredSiwxSession): boolean {
  const from = readHeader(c, 'origin')
  if (from !== undefined) return from === origin
  // Browsers omit the origin of a page's GET requests to its own server.
  return csrf === null || (c.req.method === 'GET' && readSite(c) === 'same-origin')
}

const isChange = (c: SiwxContext) => c.req.method !== 'GET' && !isAnySignOut(c)

/**
 * Whether a page signs out the account of its cookie without naming it, even if the page has no
 * session: a page whose storage was cleared has no CSRF token. The origin must match the session's,
 * so no other page can do this.
 */
export const isAnySignOut = (c: SiwxContext): boolean =>
  c.req.path === siwxSignOutRoute.path &&
  readHeader(c, 'origin') !== undefined &&
  ['authorization', csrfHeader].every((name) => readHeader(c, name) === undefined)

function hasCsrfToken(c: SiwxContext, expected: string): boolean {
  const [given, wanted] = [readHeader(c, csrfHeader) ?? '', expected].map((text) =>
    createHash('sha256').update(text).digest(),
  )
  return !!given && !!wanted && timingSafeEqual(given, wanted)
}

const readSite = (c: SiwxContext) => readHeader(c, 'sec-fetch-site')

/**
 * Whether the page belongs to the same site as this server, so that its browser sends our cookies
 * along.
 */
export const isOnSite = (c: SiwxContext): boolean =>
  ['same-origin', 'same-site'].includes(readSite(c) ?? '')

/**
 * Ends the session whose cookie is about to be replaced, because this browser could not end it
 * afterwards.
 */
export async function endReplaced(
  deps: SessionAccessDeps,
  c: SiwxContext,
  projectId: string,
): Promise<void> {
  const token = getCookie(c, cookieName(deps, projectId))
  const session = token && (await findSiwxSession(deps, { token, projectId }))
  if (session && session.csrf !== null) await endSiwxSession(deps, session, session.id)
}

/** Writes a session's token to the browser's cookie, or removes it. */
export function writeCookie(
  c: SiwxContext,
  deps: SessionAccessDeps,
  { projectId, token, maxAge }: { projectId: string; token: string; maxAge: number },
): void {
  setCookie(c, cookieName(deps, projectId), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(deps),
    maxAge,
  })
}

const isSecure = ({ config }: SessionAccessDeps) => config.publicUrl.startsWith('https:')

/**
 * One cookie for each project. With the prefix, which browsers accept only over https, no other
 * host of the site can write it: otherwise that host's page could sign a visitor in to the page's
 * own account.
 */
const cookieName = (deps: SessionAccessDeps, projectId: string) =>
  `${isSecure(deps) ? '__Host-' : ''}latchkey-siwx-${createHash('sha256').update(projectId).digest('hex').slice(0, 16)}`

const noOrigin = badRequest('origin', 'Only web pages can sign in: the request has no origin')

/** The failure of a request that needs a session. */
export const noSession: Failure = {
  status: 401,
  field: 'session',
  description: 'There is no session: sign in',
}
