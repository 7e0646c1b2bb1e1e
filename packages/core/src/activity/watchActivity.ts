import { anySignal } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { ActivityListener, ActivityNews } from './activityNews.ts'

/**
 * Reports activity of the connected account on the selected network while the page is visible,
 * until the returned function is called. Uses the server's socket, or polls every 30 s if the
 * server has no socket. All watchers share a socket.
 */
export function watchActivity(app: App, listener: ActivityListener): () => void {
  const { watchers } = app.runtime.activity
  // A new function for each call, so that the same listener can watch twice.
  const watcher = (news: ActivityNews) => listener(news)
  watchers.add(watcher)
  void follow(app)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    app.runtime.activity.stop?.()
    app.runtime.activity.stop = undefined
  }
}

async function follow(app: App) {
  const { activity } = app.runtime
  if (activity.stop) return
  const controller = new AbortController()
  activity.stop = () => controller.abort()
  try {
    const { followActivity } = await import('./followActivity.ts')
    const signal = anySignal([controller.signal, app.signal])
    followActivity(app, {
      signal,
      notify: (news) =>
        Promise.allSettled([...activity.watchers].map(async (watcher) => watcher(news))),
    })
  } catch (cause) {
    if (!controller.signal.aborted) activity.stop = undefined
    app.environment.warn('A part of the wallet could not be loaded', cause)
  }
}
