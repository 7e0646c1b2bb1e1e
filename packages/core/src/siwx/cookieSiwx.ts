import {
  csrfHeader,
  isError,
  LatchkeyError,
  type SiwxServerSession,
  siwxMeRoute,
  siwxSignOutRoute,
  siwxVerifyRoute,
} from '@latchkey/wire'
import type { App } from '../app.ts'
import { callRoute } from '../server/callRoute.ts'
import {
  createMessage,
  isSessionExpired,
  isSessionOf,
  isSignedOut,
  maxSessions,
  readStoredSessions,
} from './serverSiwx.ts'
import type { SiwxSession, UsedSiwx } from './siwx.ts'
import { withCookieLock } from './withCookieLock.ts'

/**
 * A sign-in of which this browser may have a cookie. Its CSRF token is empty until the server has
 * responded. A sign-in that has ended here is kept until the server has received the sign-out.
 */
type StoredSiwxSession = SiwxSession & { readonly isEnded?: boolean }

/**
 * Signs in at the server of `apiUrl`, which keeps the secret in a cookie. The cookie holds a single
 * session, and only the server can identify its account. So this code queries the server and ends a
 * session that matches no stored sign-in.
 */
export function createCookieSiwx(app: App): UsedSiwx {
  const read = (): readonly StoredSiwxSession[] => readStoredSessions(app, 'csrfToken')
  const write = (sessions: readonly StoredSiwxSession[]) =>
    app.storage.set('siwxSessions', [...sessions])
  const drop = (dropped: readonly StoredSiwxSession[]) =>
    write(read().filter((session) => !dropped.some((other) => isSame(session, other))))

  let waiting: Promise<void> | undefined
  /** Merges sign-outs that are requested before the first begins. */
  const finishSignOut = () => {
    waiting ??= withCookieLock(app, () => {
      waiting = undefined
      return finish()
    })
    return waiting
  }
  /** Accounts whose sign-in has to end although it is not stored here. */
  let unkept: readonly IsOwn[] = []
  async function finish() {
    const ending = unkept
    if (read().length === 0) await endUnknown(ending)
    unkept = unkept.filter((isOwn) => !ending.includes(isOwn))
    for (let ended = findEnded(); ended; ended = findEnded()) {
      await endSession(app, ended, read)
      drop([ended])
    }
  }
  const findEnded = () => read().find(({ isEnded }) => isEnded)
  /**
   * Ends a cookie session that local storage does not know, and resolves to the session that stays.
   * A recent session is kept for a while unless it is in `ending`: another tab may not have saved
   * it yet.
   */
  async function endUnknown(ending: readonly IsOwn[] = []) {
    const known = await askWho(app)
    if (!known || findKept(app, read(), known)) return known
    // Even with a wrong clock, no session counts as new for long.
    const isNew = Math.abs(app.environment.now() - Date.parse(known.session.createdAt)) < newMs
    if (isNew && !ending.some((isOwn) => isOwn({ data: known.session }))) {
      void checkLater()
      return known
    }
    await signOut(app, known.csrfToken)
    return undefined
  }

  let isCheckScheduled = false
  async function checkLater() {
    if (isCheckScheduled) return
    isCheckScheduled = true
    await app.environment.sleep(newMs, app.signal)
    isCheckScheduled = false
    if (!app.signal.aborted) await finishSignOut().catch(() => {})
  }

  return {
    finishSignOut,
    createMessage(account) {
      void finishSignOut().catch(() => {})
      return createMessage(app, account)
    },
    addSession: ({ data, message, signature }) =>
      withCookieLock(app, async () => {
        // Save before calling the server: its response may be lost after the cookie was set.
        const added = { data, message, signature, csrfToken: '' }
        write([added, ...read()].slice(0, maxSessions))
        const body = { message, signature, keep: 'cookie' }
        const answer = await callRoute(app, { route: siwxVerifyRoute, body, isCookie: true }).catch(
          (error: unknown) => {
            if (isRefusal(error)) drop([added])
            throw error
          },
        )
        const { session, csrfToken } = answer
        if (csrfToken === undefined) throw new LatchkeyError('ANSWER_INVALID')
        // The user may have signed out meanwhile.
        const isEnded = read().some((one) => one.signature === signature && one.isEnded)
        write([{ ...added, csrfToken, expiresAt: session.expiresAt, ...(isEnded && { isEnded }) }])
      }),
    async getSessions(chainId, accountAddress) {
      const isOwn = isSessionOf(app, { chainId, accountAddress })
      const kept = read()
      const own = kept.filter((session) => isOwn(session) && !session.isEnded)
      if (own.length === 0) return []
      const known = await askWho(app).catch(() => null)
      if (known === null) {
        // Without a response from the server, a session lasts until it expires.
        drop(own.filter((session) => isSessionExpired(app, session)))
        return own.filter((session) => session.csrfToken && !isSessionExpired(app, session))
      }
      const found = known && findKept(app, read(), known)
      if (!known || !found || !isOwn(found)) {
        // Stored data without a session may be another tab's pending sign-in: that comes first.
        await withCookieLock(app, async () => drop((await endUnknown()) ? own : kept)).catch(
          () => {},
        )
        return []
      }
      if (found.isEnded) return []
      // The cookie and the stored data may come from two sign-ins of the account.
      const { csrfToken = found.csrfToken ?? '' } = known
      const healed: StoredSiwxSession = { ...found, csrfToken, expiresAt: known.session.expiresAt }
      write(read().map((session) => (isSame(session, found) ? healed : session)))
      return [healed]
    },
    async revokeSession(chainId, accountAddress) {
      const isOwn = isSessionOf(app, { chainId, accountAddress })
      if (read().length === 0) unkept = [...unkept, isOwn]
      write(read().map((session) => (isOwn(session) ? { ...session, isEnded: true } : session)))
      await finishSignOut()
    },
  }
}

type IsOwn = ReturnType<typeof isSessionOf>

/** How long another tab's data may take to arrive here. */
const newMs = 60_000

const isSame = (one: StoredSiwxSession, other: StoredSiwxSession) =>
  one.signature === other.signature && one.csrfToken === other.csrfToken

type CookieSession = {
  readonly session: SiwxServerSession
  readonly csrfToken?: string | undefined
}

/** The account of the cookie's session; undefined if there is no session. */
async function askWho(app: App): Promise<CookieSession | undefined> {
  try {
    return await callRoute(app, { route: siwxMeRoute, isCookie: true })
  } catch (error) {
    if (isSignedOut(error)) return undefined
    throw error
  }
}

/** The sign-in that created the cookie's session, or another of the same account. */
const findKept = (
  app: App,
  kept: readonly StoredSiwxSession[],
  { session, csrfToken }: CookieSession,
) =>
  kept.find((one) => one.csrfToken === csrfToken) ??
  kept.find((one) => !one.isEnded && isSessionOf(app, session)(one))

/**
 * Ends the session of a sign-in, unless the cookie now belongs to another sign-in, which has ended
 * this session.
 */
async function endSession(
  app: App,
  ended: StoredSiwxSession,
  read: () => readonly StoredSiwxSession[],
): Promise<void> {
  if (ended.csrfToken)
    try {
      return await signOut(app, ended.csrfToken)
    } catch (error) {
      if (!isError(error, 'HTTP_FAILED') || error.data.status !== 403) throw error
    }
  const known = await askWho(app)
  const found = known && findKept(app, read(), known)
  if (known && (!found || found.isEnded)) await signOut(app, known.csrfToken)
}

/** Signs out the cookie's session, if it has this token; the request outlives the page. */
async function signOut(app: App, csrfToken = ''): Promise<void> {
  await callRoute(app, {
    route: siwxSignOutRoute,
    body: {},
    headers: { [csrfHeader]: csrfToken },
    isCookie: true,
    keepalive: true,
  }).catch((error: unknown) => {
    if (!isSignedOut(error)) throw error
  })
}

const unanswered = ['OFFLINE', 'TIMEOUT', 'ABORTED', 'ANSWER_INVALID'] as const

/** Whether the server has responded that it opened no session. */
const isRefusal = (error: unknown) =>
  !unanswered.some((code) => isError(error, code)) &&
  !(isError(error, 'HTTP_FAILED') && Number(error.data.status) >= 500)
