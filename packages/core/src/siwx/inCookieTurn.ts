import type { App } from '../app.ts'
import { apiTimeoutMs } from '../server/callApi.ts'

/** The last turn of each app. */
const turns = new WeakMap<App, Promise<unknown>>()

/**
 * Runs what changes the cookie of a sign-in when nothing else does, on this page or in another tab of it: the answer to a sign-out removes the cookie
 * that a sign-in has brought meanwhile, and one without a CSRF token ends its session. Throws what `act` throws.
 */
export function inCookieTurn<Result>(app: App, act: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(app) ?? Promise.resolve()).then(async () => {
    const release = await lockOtherTabs(app)
    try {
      return await act()
    } finally {
      release()
    }
  })
  turns.set(
    app,
    turn.catch(() => {}),
  )
  return turn
}

/**
 * Resolves once no other tab has a turn, to what ends this one. Tabs wait for each other where the browser has Web Locks and allows them, and for
 * as long as a call may last: one that a phone has put to sleep ends no turn.
 */
const lockOtherTabs = (app: App): Promise<() => void> =>
  new Promise((resolve) => {
    const goOn = () => resolve(() => {})
    const { locks } = app.environment.page?.navigator ?? {}
    if (!locks) return goOn()
    const waiting = new AbortController()
    const { signal } = waiting
    const end = () => waiting.abort()
    const hold = () =>
      new Promise<void>((release) => {
        resolve(release)
        end()
      })
    locks.request('latchkey.siwxCookie', { signal }, hold).catch(goOn)
    void app.environment.sleep(apiTimeoutMs, AbortSignal.any([app.signal, signal])).then(end)
  })
