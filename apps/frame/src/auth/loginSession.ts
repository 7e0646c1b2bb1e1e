import {
  anySignal,
  endSessionRoute,
  isError,
  LatchkeyError,
  type LoginTokens,
  type Route,
  refreshSessionRoute,
  tokens as tokensSchema,
} from '@latchkey/wire'
import * as z from 'zod/mini'
import type { KeyStore } from '../wallet/keyStore.ts'
import { withLock } from './deviceKey.ts'
import type { DpopFetch } from './dpopFetch.ts'

const saved = z.object({ ...tokensSchema.shape, expiresAtMs: z.number() })
type SavedSession = z.infer<typeof saved>

export type RouteBody<R extends Route> = R['body'] extends z.ZodMiniType
  ? z.input<R['body']>
  : never
type CallOptions = {
  /** `proof`: with the proof alone, for calls that start a session. */
  as?: 'proof' | 'session'
  signal?: AbortSignal | undefined
}

export type LoginSession = {
  /** The current session in this browser's storage; undefined if the user is signed out. */
  read(): Promise<SavedSession | undefined>
  saveTokens(tokens: LoginTokens): Promise<void>
  /** Replaces the email address, if the session still belongs to this user. */
  setEmail(owned: { readonly userId: string; readonly email: string | null }): Promise<void>
  /**
   * Calls a route, and refreshes the session first if necessary. Throws SIGNED_OUT without a
   * session.
   */
  call<R extends Route>(
    route: R,
    body: RouteBody<R>,
    options?: CallOptions,
  ): Promise<z.output<R['result']>>
  /** Like `call`, by path, for callers that parse the response. */
  callPath(path: string, body: unknown): Promise<unknown>
  /**
   * Ends the session here and, if it can be reached, at the server. Throws WALLET_NOT_ENROLLED if
   * this session may not end others.
   */
  end(scope: { everywhere?: boolean; forget?: boolean }): Promise<void>
  /** Notifies the listeners of the stored session after another tab has changed it. */
  announce(): Promise<void>
  /**
   * Called when the session has ended for any reason, and when it gets new tokens or another
   * address.
   */
  subscribe(listener: (session: SavedSession | undefined) => void): () => void
}

const storeKey = 'session'
// Refreshes before the server demands it, to save a round trip. The clock must advance, but need
// not be right.
const earlyMs = 20_000

/** The session of this browser, shared by its tabs through `store`. */
export function createLoginSession(parameters: {
  store: KeyStore
  send: DpopFetch
  now: () => number
}): LoginSession {
  const { store, send, now } = parameters
  const listeners = new Set<(session: SavedSession | undefined) => void>()
  const tell = (session: SavedSession | undefined) => {
    for (const listener of listeners) listener(session)
  }

  const read = async () => {
    const parsed = z.safeParse(saved, await store.get(storeKey))
    return parsed.success ? parsed.data : undefined
  }
  const saveTokens = async (tokens: LoginTokens) => {
    const next = { ...tokens, expiresAtMs: now() + tokens.expiresInSeconds * 1_000 }
    await store.put(storeKey, next)
    tell(next)
  }
  const drop = async () => {
    await store.delete(storeKey)
    tell(undefined)
  }

  // In one tab at a time: a refresh token works once.
  const refresh = (used: SavedSession) =>
    withLock('refresh', async () => {
      const found = await read()
      if (!found) throw new LatchkeyError('SIGNED_OUT')
      if (found.accessToken !== used.accessToken) return found
      try {
        const { path } = refreshSessionRoute
        const answer = await send({ path, body: { refreshToken: found.refreshToken } })
        const tokens = parse(refreshSessionRoute, answer)
        // Meanwhile the user may have signed out, signed in again, or confirmed an action.
        if ((await read())?.accessToken === found.accessToken) {
          // Only a login returns the user's name at a provider.
          const { userName } = found
          await saveTokens({ ...tokens, ...(userName && { userName }) })
        }
      } catch (error) {
        // Another tab may have signed in meanwhile.
        const latest = (await read()) ?? found
        if (isError(error, 'SIGNED_OUT') && latest.accessToken === found.accessToken) await drop()
        throw error
      }
      const current = await read()
      if (!current) throw new LatchkeyError('SIGNED_OUT')
      return current
    })

  // Ends the calls of a session that is ended here: the server would refuse them.
  let ending = new AbortController()

  const callPath = async (path: string, body: unknown, own?: AbortSignal) => {
    const signal = own ? anySignal([own, ending.signal]) : ending.signal
    let session = await read()
    if (!session) throw new LatchkeyError('SIGNED_OUT')
    if (session.expiresAtMs - earlyMs < now()) session = await refresh(session)
    try {
      return await send({ path, body, token: session.accessToken, signal })
    } catch (error) {
      if (!isError(error, 'SIGNED_OUT')) throw error
      const { accessToken: token } = await refresh(session)
      return send({ path, body, token, signal })
    }
  }

  return {
    read,
    saveTokens,
    setEmail: async ({ userId, email }) => {
      const found = await read()
      if (found?.userId !== userId) return
      const next = { ...found, email }
      await store.put(storeKey, next)
      tell(next)
    },
    announce: async () => tell(await read()),
    callPath,
    call: async (route, body, { as = 'session', signal } = {}) => {
      const { path } = route
      const answer =
        as === 'proof' ? await send({ path, body, signal }) : await callPath(path, body, signal)
      return parse(route, answer)
    },
    end: async (scope) => {
      ending.abort()
      ending = new AbortController()
      try {
        if (await read()) await callPath(endSessionRoute.path, scope)
      } catch (error) {
        // This browser may not do that. In all other cases (not reached, or ended already) the
        // session ends here anyway.
        if (isError(error, 'WALLET_NOT_ENROLLED')) throw error
      }
      await drop()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function parse<R extends Route>(route: R, answer: unknown): z.output<R['result']> {
  const parsed = z.safeParse(route.result as R['result'], answer)
  if (!parsed.success) throw new LatchkeyError('ANSWER_INVALID', { cause: parsed.error })
  return parsed.data as z.output<R['result']>
}
