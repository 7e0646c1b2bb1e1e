import { anySignal } from '@latchkey/wire'
import type { App } from '../app.ts'
import type { ActivityListener, ActivityNews } from './activityNews.ts'

/**
 * Reports what happens to the connected account on the selected network while the page is visible,
 * until the returned function is called: by the server's socket, or every 30 s where it has none.
 * All watchers share one socket.
 */
export function watchActivity(app: App, listener: ActivityListener): () => void {
  const { watchers } = app.work.activity
  // A function of its own for each call: one listener may watch twice.
  const watcher = (news: ActivityNews) => listener(news)
  watchers.add(watcher)
  void follow(app)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    app.work.activity.stop?.()
    app.work.activity.stop = undefined
  }
}

async function follow(app: App) {
  const { activity } = app.work
  if (activity.stop) return
  const controller = new AbortController()
  activity.stop = () => controller.abort()
  try {
    const { followActivity } = await import('./followActivity.ts')
    const signal = anySignal([controller.signal, app.signal])
    followActivity(app, {
      signal,
      tell: (news) =>
        Promise.allSettled([...activity.watchers].map(async (watcher) => watcher(news))),
    })
  } catch (cause) {
    if (!controller.signal.aborted) activity.stop = undefined
    app.environment.warn('A part of the wallet could not be loaded', cause)
  }
}
