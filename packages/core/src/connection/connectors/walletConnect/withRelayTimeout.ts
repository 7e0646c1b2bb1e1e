import { LatchkeyError } from '@latchkey/wire'

/** How long the relay may be unreachable before the user is informed. */
export const relayTimeoutMs = 15_000

/**
 * Runs work that needs the relay. If it is not done after 15 s and `isLost` returns true, cancels
 * the work and throws RELAY_UNREACHABLE. `work` gets the signal that cancels it.
 */
export async function withRelayTimeout<T>(parameters: {
  host: string
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  isLost: () => boolean
  work: (signal: AbortSignal) => Promise<T>
}): Promise<T> {
  const { host, sleep, isLost, work } = parameters
  const done = new AbortController()
  const called = new AbortController()
  const timeout = sleep(relayTimeoutMs, done.signal).then(() => {
    if (done.signal.aborted || !isLost()) return new Promise<never>(() => {})
    called.abort()
    throw new LatchkeyError('RELAY_UNREACHABLE', { data: { host } })
  })
  const answer = work(called.signal)
  // The loser of the race must not cause an unhandled rejection.
  timeout.catch(() => {})
  answer.catch(() => {})
  try {
    return await Promise.race([answer, timeout])
  } finally {
    done.abort()
  }
}
