import { LatchkeyError } from '@latchkey/wire'

/**
 * Returns a promise that rejects with ABORTED as soon as the signal aborts, for work that cannot be
 * canceled itself.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new LatchkeyError('ABORTED'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
