import {
  csrfHeader,
  isError,
  LatchkeyError,
  type Route,
  siwxMeRoute,
  siwxNonceRoute,
  siwxSignOutRoute,
  siwxVerifyRoute,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import { getPageLocation } from './pageLocation.ts'
import { getSiwxConfig, toSessionKey } from './session.ts'
import type { Siwx, SiwxSession, UsedSiwx } from './siwx.ts'

/** How many sign-ins this browser keeps; the oldest is dropped. */
export const maxSessions = 20

type SessionAccount = Parameters<typeof toSessionKey>[1]

/**
 * Signs in at the server of `apiUrl`. This browser keeps a token for each sign-in; the server may
 * end it at any time.
 */
export function createServerSiwx(app: App): UsedSiwx {
  const read = () => readStoredSessions(app, 'token')
  const write = (sessions: readonly SiwxSession[]) => app.storage.set('siwxSessions', [...sessions])
  const drop = (isDropped: (session: SiwxSession) => boolean) =>
    write(read().filter((session) => !isDropped(session)))
  const end = async (isEnded: (session: SiwxSession) => boolean) => {
    const ended = read().filter(isEnded)
    drop(isEnded)
    // A session whose sign-out did not reach the server expires by itself.
    await Promise.allSettled(ended.map((session) => callAs(app, siwxSignOutRoute, session, {})))
  }
  return {
    createMessage: (account) => createMessage(app, account),
    async addSession({ data, message, signature }) {
      const body = { message, signature }
      const { session, token } = await callRoute(app, { route: siwxVerifyRoute, body })
      if (token === undefined) throw new LatchkeyError('ANSWER_INVALID')
      const added = { data, message, signature, token, expiresAt: session.expiresAt }
      void end(isSessionOf(app, data))
      write([added, ...read()].slice(0, maxSessions))
    },
    async getSessions(chainId, accountAddress) {
      const isOwn = isSessionOf(app, { chainId, accountAddress })
      const good: SiwxSession[] = []
      for (const session of read().filter(isOwn)) {
        const known = await callAs(app, siwxMeRoute, session).catch((error: unknown) => {
          // Without a response from the server, a session lasts until it expires.
          if (!isSessionExpired(app, session) && !isSignedOut(error))
            return { session: session.data }
          return drop(({ token }) => token === session.token)
        })
        // The token may belong to another account by now.
        if (known && isOwn({ data: known.session })) good.push(session)
      }
      return good
    },
    revokeSession: (chainId, accountAddress) => end(isSessionOf(app, { chainId, accountAddress })),
    keepsMany: true,
  }
}

/** The stored sign-ins of this browser that are readable, each with its secret. */
export const readStoredSessions = (
  app: App,
  secret: 'token' | 'csrfToken',
): readonly SiwxSession[] =>
  (app.storage.get('siwxSessions') ?? []).filter((value): value is SiwxSession => {
    const { data, [secret]: own } = (value ?? {}) as Partial<SiwxSession>
    return [own, data?.accountAddress, data?.chainId].every((text) => typeof text === 'string')
  })

/** Whether a sign-in counts for this account and network. */
export const isSessionOf = (app: App, wanted: SessionAccount) => {
  const key = toSessionKey(app, wanted)
  return ({ data }: { readonly data: SessionAccount }) => toSessionKey(app, data) === key
}

/** A message with a nonce from the server. */
export const createMessage: (
  app: App,
  account: Parameters<Siwx['createMessage']>[0],
) => ReturnType<Siwx['createMessage']> = async (app, account) => {
  const { nonce, issuedAt } = await callRoute(app, { route: siwxNonceRoute, body: {} })
  const statement = getSiwxConfig(app)?.statement
  const fields = { ...account, nonce, issuedAt, version: '1' } as const
  return { ...fields, ...getPageLocation(app), ...(statement && { statement }) }
}

/** Calls a route with a sign-in at our server, by its token or its cookie. */
export const callAs = <ApiRoute extends Route>(
  app: App,
  route: ApiRoute,
  { token, csrfToken = '' }: SiwxSession,
  body?: object,
) =>
  callRoute(app, {
    route,
    body,
    headers: token ? { authorization: `Bearer ${token}` } : { [csrfHeader]: csrfToken },
    isCookie: !token,
  })

/** Whether a sign-in has expired. */
export const isSessionExpired = (app: App, { expiresAt = '' }: SiwxSession): boolean =>
  Date.parse(expiresAt) <= app.environment.now()

/** Whether the server reports that the sign-in does not exist. */
export const isSignedOut = (error: unknown): boolean =>
  isError(error, 'HTTP_FAILED') && error.data.status === 401
