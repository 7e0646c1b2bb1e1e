import type { Namespace } from '@latchkey/wire'
import type { App } from '../createApp.ts'

export type Turn = { isCurrent: () => boolean; signal: AbortSignal }

/**
 * Begins a change of a namespace's connection and calls off the one that runs: what answers later than a newer change
 * has begun must not write.
 */
export function beginTurn(app: App, namespace: Namespace): Turn {
  app.work.connecting[namespace]?.abort()
  const controller = new AbortController()
  app.work.connecting[namespace] = controller
  app.work.turns[namespace] += 1
  const turn = app.work.turns[namespace]
  return {
    isCurrent: () => app.work.turns[namespace] === turn && !app.signal.aborted,
    signal: controller.signal,
  }
}
