import type { Namespace } from '@latchkey/wire'
import type { App } from '../app.ts'

export type Attempt = { isCurrent: () => boolean; signal: AbortSignal }

/**
 * Begins a change of a namespace's connection and cancels the current change: a response that
 * arrives after a newer change has begun must not write.
 */
export function beginAttempt(app: App, namespace: Namespace): Attempt {
  app.runtime.connecting[namespace]?.abort()
  const controller = new AbortController()
  app.runtime.connecting[namespace] = controller
  app.runtime.attempts[namespace] += 1
  const attempt = app.runtime.attempts[namespace]
  return {
    isCurrent: () => app.runtime.attempts[namespace] === attempt && !app.signal.aborted,
    signal: controller.signal,
  }
}
