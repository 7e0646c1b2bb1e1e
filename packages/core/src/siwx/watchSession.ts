import { anySignal } from '@latchkey/wire'
import type { App } from '../app.ts'
import { activeConnection, isConnected } from '../state.ts'
import { findSiwxSession, getSession, getSessionKey } from './session.ts'
import { setSession } from './signIn.ts'
import type { SiwxSession, UsedSiwx } from './siwx.ts'

/** The minimum time from a check of a sign-in to the next check. */
const restMs = 60_000
/** The maximum delay of a browser timer. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Refetches the sign-in of the account in use when it expires, and when the user returns to the
 * page: it may have been ended elsewhere. A sign-in that cannot be looked up stays.
 */
export function watchSession(app: App, siwx: UsedSiwx): void {
  const { now, sleep, page } = app.environment
  let lookedAtMs = now()
  let watched: SiwxSession | null | undefined
  let waiting = new AbortController()
  const look = async () => {
    const state = app.store.getState()
    const connection = activeConnection(state)
    const session = getSession(app, state)
    if (!session || !isConnected(connection)) return
    lookedAtMs = now()
    const key = getSessionKey(app, connection)
    const sessions = await siwx
      .getSessions(connection.chainId, connection.account.address)
      .catch(() => undefined)
    // The user has signed out or in meanwhile.
    if (!sessions || app.signal.aborted || app.store.getState().sessions[key] !== session) return
    watched = undefined
    setSession(app, key, findSiwxSession(app, connection, sessions) ?? null)
  }
  const waitForEnd = async () => {
    const session = getSession(app, app.store.getState())
    if (session === watched) return
    watched = session
    waiting.abort()
    waiting = new AbortController()
    const endMs = Date.parse(session?.expiresAt ?? '')
    if (Number.isNaN(endMs)) return
    const signal = anySignal([app.signal, waiting.signal])
    // The server's clock may be behind.
    const lookAtMs = Math.max(endMs, lookedAtMs + restMs)
    await sleep(Math.min(lookAtMs - now(), maxTimerMs), signal)
    if (!signal.aborted) await look()
  }
  const comeBack = () => {
    const isVisible = page?.document.visibilityState === 'visible'
    if (isVisible && now() - lookedAtMs >= restMs) void look()
  }
  app.signal.addEventListener('abort', app.store.subscribe(waitForEnd))
  page?.addEventListener('visibilitychange', comeBack, { signal: app.signal })
  void waitForEnd()
}
