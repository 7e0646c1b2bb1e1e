import {
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

type KeptSession = SiwxSession & { token: string }
type Place = Parameters<typeof toSessionKey>[1]

/** Signs in by the server of `apiUrl`. This browser keeps a token for each sign-in; the server may end it at any time. */
export function createServerSiwx(app: App): UsedSiwx {
  const write = (sessions: readonly KeptSession[]) => app.storage.set('siwxSessions', [...sessions])
  const isFor = (wanted: Place) => {
    const key = toSessionKey(app, wanted)
    return ({ data }: { readonly data: Place }) => toSessionKey(app, data) === key
  }
  const end = async (isEnded: (session: KeptSession) => boolean) => {
    const kept = readSessions(app)
    write(kept.filter((session) => !isEnded(session)))
    // What the server does not hear of now ends by itself.
    await Promise.allSettled(
      kept.filter(isEnded).map(({ token }) => callWith(app, siwxSignOut, token, {})),
    )
  }
  const addSession: Siwx['addSession'] = async ({ data, message, signature }) => {
    const { token, session } = await callApi(app, {
      route: siwxVerify,
      body: { message, signature },
    })
    if (token === undefined) throw new LatchkeyError('ANSWER_INVALID')
    void end(isFor(data))
    const { expiresAt } = session
    write(
      [{ data, message, signature, token, expiresAt }, ...readSessions(app)].slice(0, maxSessions),
    )
  }
  return {
    addSession,
    async createMessage(account) {
      const { nonce, issuedAt } = await callApi(app, { route: siwxNonce, body: {} })
      const { statement } = getSiwxConfig(app) ?? {}
      const fields = { ...account, nonce, issuedAt, version: '1' } as const
      return { ...fields, ...getPageLocation(app), ...(statement && { statement }) }
    },
    async getSessions(chainId, accountAddress) {
      const isOwn = isFor({ chainId, accountAddress })
      const good: KeptSession[] = []
      for (const session of readSessions(app).filter(isOwn)) {
        const known = await callWith(app, siwxMe, session.token).catch((error: unknown) => {
          const isOver = Date.parse(session.expiresAt ?? '') <= app.environment.now()
          // A server that cannot be reached has not ended it before its time.
          if (!isOver && (!isError(error, 'HTTP_FAILED') || error.data.status !== 401))
            return { session: session.data }
          return write(readSessions(app).filter(({ token }) => token !== session.token))
        })
        // The token may have become another account's.
        if (known && isOwn({ data: known.session })) good.push(session)
      }
      return good
    },
    revokeSession: (chainId, accountAddress) => end(isFor({ chainId, accountAddress })),
  }
}

const callWith = <ApiRoute extends Route>(
  app: App,
  route: ApiRoute,
  token: string,
  body?: object,
) => callApi(app, { route, body, headers: { authorization: `Bearer ${token}` } })

/** What is kept, as far as it is readable. */
const readSessions = (app: App): readonly KeptSession[] =>
  (app.storage.get('siwxSessions') ?? []).filter(isKept)

function isKept(value: unknown): value is KeptSession {
  const { data, token } = (value ?? {}) as Partial<KeptSession>
  return [token, data?.accountAddress, data?.chainId].every((text) => typeof text === 'string')
}
