import { abortable } from '../abortable.ts'
import type { App } from '../app.ts'

/**
 * Makes a read once for all simultaneous callers; each caller can stop waiting with its own signal.
 * No caller joins a read from before {@link invalidateReads}.
 */
export function dedupeRead<T>(
  app: App,
  parameters: { key: string; work: () => Promise<T>; signal?: AbortSignal | undefined },
): Promise<T> {
  const { key, work, signal } = parameters
  const { reads } = app.runtime
  let running = reads.get(key) as Promise<T> | undefined
  if (!running) {
    const read = work().finally(() => {
      if (reads.get(key) === read) reads.delete(key)
    })
    reads.set(key, read)
    running = read
  }
  // Every caller may have given up, and then nothing else handles a failure.
  running.catch(() => {})
  return signal ? abortable(running, signal) : running
}

/**
 * Makes all later reads start again, because a read in progress may return the state before a
 * change.
 */
export const invalidateReads = (app: App): void => app.runtime.reads.clear()
