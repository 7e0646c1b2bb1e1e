import { anySignal, getMethodTreatment, isError, LatchkeyError } from '@latchkey/wire'
import type { FrameChain } from '../chains.ts'
import { createThrottle } from '../host/createThrottle.ts'

export type QueuedRequest = { method: string; params: unknown; chain: FrameChain }

export type RequestQueue = {
  /**
   * Handles a request of the page. Throws REQUEST_NOT_ALLOWED, RATE_LIMITED, ABORTED, USER_REJECTED
   * and the errors of the request.
   */
  handle(request: QueuedRequest, signal: AbortSignal): Promise<unknown>
  /** Aborts every open request that waits for the user. */
  abort(): void
}

const maxWaiting = 10

/**
 * The request queue of one page. Safe requests are answered at once; the others wait for the user
 * in turn. At most ten wait, and at most twenty are accepted per minute.
 */
export function createRequestQueue(parameters: {
  handleSafe: (request: QueuedRequest, signal: AbortSignal) => Promise<unknown>
  /** Resolves to the result, or to a function that waits for the result after the turn. */
  approve: (request: QueuedRequest, signal: AbortSignal) => Promise<unknown>
  now: () => number
}): RequestQueue {
  const { handleSafe, approve, now } = parameters
  let round = new AbortController()
  let tail: Promise<unknown> = Promise.resolve()
  let pending = 0
  const admit = createThrottle(now)

  const decide = async (request: QueuedRequest, signal: AbortSignal) => {
    admit(pending >= maxWaiting)
    pending += 1
    const both = anySignal([signal, round.signal])
    const before = tail
    const turn = (async () => {
      await before
      if (both.aborted) throw new LatchkeyError('ABORTED')
      return approve(request, both)
    })()
    tail = turn.catch(() => {})
    try {
      const result = await Promise.race([turn, whenAborted(both)]).finally(() => {
        pending -= 1
      })
      return typeof result === 'function'
        ? await Promise.race([result(), whenAborted(both)])
        : result
    } catch (error) {
      if (both.aborted && !isRefusal(error)) throw new LatchkeyError('ABORTED')
      throw error
    }
  }

  return {
    handle: async (request, signal) => {
      const treatment = getMethodTreatment(request.method)
      if (treatment === 'refused') throw new LatchkeyError('REQUEST_NOT_ALLOWED')
      return treatment === 'safe' ? handleSafe(request, signal) : decide(request, signal)
    },
    abort: () => {
      round.abort()
      round = new AbortController()
    },
  }
}

const isRefusal = (error: unknown) =>
  isError(error, 'USER_REJECTED') || isError(error, 'UPGRADE_REJECTED')

const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(new LatchkeyError('ABORTED'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
