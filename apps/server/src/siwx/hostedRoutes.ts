import type { HttpBindings } from '@hono/node-server'
import {
  hostedAuthenticateRoute,
  hostedMeRoute,
  hostedNonceRoute,
  hostedSignOutRoute,
} from '@latchkey/wire'
import { parseSiwxMessage } from '@latchkey/wire/siwx'
import { Hono } from 'hono'
import { readHeader } from '../http/clientAddress.ts'
import { badRequest, HttpFailure } from '../http/failure.ts'
import { preflight } from '../http/headers.ts'
import { parseBody } from '../http/request/parse.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import { allowExactOrigin, type SiwxDeps, takeSignInTurn, withSession } from './routes.ts'
import { readOriginPage, type SiwxContext } from './sessionAccess.ts'
import { signIn } from './signIn.ts'
import { createSignInNonce, endSiwxSession, type StoredSiwxSession } from './siwxStore.ts'

/**
 * The routes of an older hosted sign-in service, for clients that support no others, with the same
 * store and the same checks. Its email codes and profiles are not supported, and the response
 * explains why.
 */
export function hostedSiwxRoutes(
  services: Omit<SiwxDeps, 'upstreams'>,
  upstreams: Upstreams,
): Hono<{ Bindings: Partial<HttpBindings> }> {
  const deps: SiwxDeps = { ...services, upstreams }
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  for (const [path, description] of Object.entries(absent))
    app.on(['GET', 'POST', 'PUT'], path, (c) => {
      allowExactOrigin(c)
      throw new HttpFailure({ status: 404, field: 'path', description })
    })
  return app
    .use('/auth/v1/*', async (c, next) => {
      await next()
      allowExactOrigin(c)
    })
    .options('/auth/v1/*', () => preflight())
    .get(hostedNonceRoute.path, async (c) => {
      const page = readOriginPage(c)
      await takeSignInTurn(deps, c)
      const { nonce } = await createSignInNonce(deps, page)
      // The store knows the project of each nonce, so the nonce itself can serve as the token.
      return c.json({ nonce, token: nonce })
    })
    .post(hostedAuthenticateRoute.path, (c) => authenticate(deps, c))
    .get(hostedMeRoute.path, (c) => withSession(deps, c, toClaims))
    .post(hostedSignOutRoute.path, (c) =>
      withSession(deps, c, async (session) => {
        await endSiwxSession(deps, session, session.id)
        return { status: 'SUCCESS' }
      }),
    )
}

/**
 * The routes of that service that this server does not have. If a page requested a code, the user
 * would type the code into the page, which could use it elsewhere; and any page could send mails to
 * any address. We do not collect data about visitors.
 */
const absent = {
  '/auth/v1/otp':
    'This server sends no email codes for pages. Visitors log in by email in the wallet itself',
  '/auth/v1/account-metadata': 'This server keeps no profiles of visitors',
} as const

async function authenticate(deps: SiwxDeps, c: SiwxContext): Promise<Response> {
  const signed = await parseBody(c, hostedAuthenticateRoute.body)
  const page = readOriginPage(c)
  await takeSignInTurn(deps, c)
  const parsed = parseSiwxMessage(signed.message)
  const proof = /^Bearer (\w+)$/i.exec(readHeader(c, 'x-nonce-jwt') ?? '')?.[1]
  if ('message' in parsed && proof !== parsed.message.nonce)
    throw new HttpFailure(badRequest('x-nonce-jwt', 'The nonce was issued to another page'))
  const { session, token } = await signIn(deps, { signed, page, keep: 'token' })
  return c.json({ token: toJwt(session, token) })
}

/**
 * Older clients read the claims of this token. Only this server can verify it: the session's secret
 * is in the place of a signature.
 */
const toJwt = (session: StoredSiwxSession, secret: string) =>
  [{ typ: 'JWT', alg: 'opaque' }, toClaims(session)]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat(secret)
    .join('.')

const toClaims = ({ id, address, chain_id, created_at, expires_at }: StoredSiwxSession) => ({
  address,
  caip2Network: chain_id,
  chainNamespace: chain_id.split(':')[0] ?? '',
  profileUuid: id,
  iat: Math.floor(created_at.getTime() / 1000),
  exp: Math.floor(expires_at.getTime() / 1000),
})
