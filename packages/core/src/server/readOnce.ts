import { abortable } from '../abortable.ts'
import type { App } from '../app.ts'

/** Makes a read once, however many ask for it at the same time; each may give up waiting by its own signal. */
export function readOnce<T>(
  app: App,
  parameters: { key: string; work: () => Promise<T>; signal?: AbortSignal | undefined },
): Promise<T> {
  const { key, work, signal } = parameters
  let running = app.work.reads.get(key) as Promise<T> | undefined
  if (!running) {
    running = work().finally(() => app.work.reads.delete(key))
    app.work.reads.set(key, running)
  }
  // Everybody may have given up; then nobody is there to handle a failure.
  running.catch(() => {})
  return signal ? abortable(running, signal) : running
}
