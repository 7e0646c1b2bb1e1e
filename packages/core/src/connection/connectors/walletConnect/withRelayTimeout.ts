import { LatchkeyError } from '@latchkey/wire'

/** Milliseconds without a relay after which the user is informed. */
export const relayTimeoutMs = 15_000

/**
 * Work that needs the relay: when it is not done after 15 s and `isLost` says so, it is cancelled
 * and RELAY_UNREACHABLE thrown. `work` gets the signal that cancels it.
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
  // Whichever loses the race must not count as unhandled.
  timeout.catch(() => {})
  answer.catch(() => {})
  try {
    return await Promise.race([answer, timeout])
  } finally {
    done.abort()
  }
}
