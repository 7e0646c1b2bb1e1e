import { LatchkeyError } from '@latchkey/wire'

/**
 * How long a wallet has to respond to a request that shows nothing to the user. A sleeping wallet
 * takes seconds to wake up.
 */
const silentMs = 10_000

/**
 * The response to a request that shows nothing to the user. Throws WALLET_UNRESPONSIVE if it does
 * not arrive in time.
 */
export async function withTimeout<T>(
  work: () => Promise<T>,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
  limitMs = silentMs,
): Promise<T> {
  const done = new AbortController()
  const timeout = sleep(limitMs, done.signal).then(() => {
    throw new LatchkeyError('WALLET_UNRESPONSIVE')
  })
  // The loser of the race must not cause an unhandled rejection.
  timeout.catch(() => {})
  const answer = work()
  answer.catch(() => {})
  try {
    return await Promise.race([answer, timeout])
  } finally {
    done.abort()
  }
}
