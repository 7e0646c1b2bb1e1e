import {
  csrfHeader,
  isError,
  LatchkeyError,
  type Route,
  siwxMe,
  siwxNonce,
  siwxSignOut,
  siwxVerify,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callApi } from '../server/callApi.ts'
import { getPageLocation } from './pageLocation.ts'
import { getSiwxConfig, toSessionKey } from './session.ts'
import type { Siwx, SiwxSession, UsedSiwx } from './siwx.ts'

/** Sign-ins that are kept in this browser; the oldest goes. */
const maxSessions = 20

type Place = Parameters<typeof toSessionKey>[1]

/** Signs in by the server of `apiUrl`. This browser keeps a token for each sign-in, or a cookie; the server may end it at any time. */
export function createServerSiwx(app: App): UsedSiwx {
  const { statement, keep = 'token' } = getSiwxConfig(app) ?? {}
  const isCookie = keep === 'cookie'
  const secret = isCookie ? 'csrfToken' : 'token'
  /** What is kept, as far as it is readable. */
  const read = () =>
    (app.storage.get('siwxSessions') ?? []).filter((value): value is SiwxSession => {
      const { data, [secret]: own } = (value ?? {}) as Partial<SiwxSession>
      return [own, data?.accountAddress, data?.chainId].every((text) => typeof text === 'string')
    })
  const write = (sessions: readonly SiwxSession[]) => app.storage.set('siwxSessions', [...sessions])
  const drop = (isDropped: (session: SiwxSession) => boolean) =>
    write(read().filter((session) => !isDropped(session)))
  const isFor = (wanted: Place) => {
    const key = toSessionKey(app, wanted)
    return ({ data }: { readonly data: Place }) => toSessionKey(app, data) === key
  }
  const end = async (isEnded: (session: SiwxSession) => boolean) => {
    const ended = read().filter(isEnded)
    if (!isCookie) drop(isEnded)
    const outs = ended.map((session) => callAs(app, siwxSignOut, session, {}))
    const settled = await Promise.allSettled(outs)
    // A token of which the server has not heard ends by itself, but a cookie would stay in the browser.
    if (!isCookie) return
    for (const out of settled)
      if (out.status === 'rejected' && !isSignedOut(out.reason)) throw out.reason
    drop(isEnded)
  }
  const addSession: Siwx['addSession'] = async ({ data, message, signature }) => {
    const { session, ...secrets } = await callApi(app, {
      route: siwxVerify,
      body: { message, signature, ...(isCookie && { keep }) },
      isCookie,
    })
    if (secrets[secret] === undefined) throw new LatchkeyError('ANSWER_INVALID')
    const { expiresAt } = session
    const added = { data, message, signature, [secret]: secrets[secret], expiresAt }
    if (isCookie) return write([added])
    void end(isFor(data))
    write([added, ...read()].slice(0, maxSessions))
  }
  return {
    addSession,
    async createMessage(account) {
      const { nonce, issuedAt } = await callApi(app, { route: siwxNonce, body: {} })
      const fields = { ...account, nonce, issuedAt, version: '1' } as const
      return { ...fields, ...getPageLocation(app), ...(statement && { statement }) }
    },
    async getSessions(chainId, accountAddress) {
      const isOwn = isFor({ chainId, accountAddress })
      const good: SiwxSession[] = []
      for (const session of read().filter(isOwn)) {
        const known = await callAs(app, siwxMe, session).catch((error: unknown) => {
          const isOver = Date.parse(session.expiresAt ?? '') <= app.environment.now()
          // A server that cannot be reached has not ended it before its time.
          if (!isOver && !isSignedOut(error)) return { session: session.data }
          return drop((kept) => kept[secret] === session[secret])
        })
        // The secret may have become another account's.
        if (known && isOwn({ data: known.session })) good.push(session)
      }
      return good
    },
    revokeSession: (chainId, accountAddress) => end(isFor({ chainId, accountAddress })),
  }
}

/** Calls a route with a sign-in of our server, by its token or its cookie. */
export const callAs = <ApiRoute extends Route>(
  app: App,
  route: ApiRoute,
  { token, csrfToken = '' }: SiwxSession,
  body?: object,
) =>
  callApi(app, {
    route,
    body,
    headers: token ? { authorization: `Bearer ${token}` } : { [csrfHeader]: csrfToken },
    isCookie: !token,
  })

/** Whether the server knows no such sign-in. */
export const isSignedOut = (error: unknown): boolean =>
  isError(error, 'HTTP_FAILED') && error.data.status === 401
