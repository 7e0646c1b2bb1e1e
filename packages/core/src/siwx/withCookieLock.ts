import { anySignal } from '@latchkey/wire'
import type { App } from '../app.ts'
import { apiTimeoutMs } from '../server/fetchJson.ts'

/** The last turn of each app. */
const turns = new WeakMap<App, Promise<unknown>>()

/**
 * Serializes changes of a sign-in's cookie, on this page and across tabs. Otherwise a late response
 * to a sign-out could delete a newer sign-in's cookie, and a sign-out without a CSRF token could
 * end that session. Throws the errors of `act`.
 */
export function withCookieLock<Result>(app: App, act: () => Promise<Result>): Promise<Result> {
  const waiting = new AbortController()
  const { signal } = waiting
  // From now on, so that the waits of several turns do not add up.
  void app.environment
    .sleep(apiTimeoutMs, anySignal([app.signal, signal]))
    .then(() => waiting.abort())
  const turn = (turns.get(app) ?? Promise.resolve()).then(async () => {
    const release = await lockOtherTabs(app, signal)
    waiting.abort()
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
 * Resolves when no other tab has a turn, to a function that ends this turn. Tabs wait for each
 * other if the browser supports and allows Web Locks. They wait at most as long as a call may last,
 * because a tab that a phone has suspended does not end its turn.
 */
const lockOtherTabs = (app: App, signal: AbortSignal): Promise<() => void> =>
  new Promise((resolve) => {
    const continueToProvider = () => resolve(() => {})
    const { locks } = app.environment.page?.navigator ?? {}
    if (!locks) return continueToProvider()
    const hold = () => new Promise<void>(resolve)
    locks.request('latchkey.siwxCookie', { signal }, hold).catch(continueToProvider)
  })
