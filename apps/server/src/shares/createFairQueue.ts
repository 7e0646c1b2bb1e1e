/**
 * Runs work when its turn comes. Throws {@link QueueFull} if too much work waits already, or the
 * turn does not come in time.
 */
export type FairQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** Thrown if too much work waits. */
export class QueueFull extends Error {}

type Limits = {
  /** How much work runs at once, in total and per key. */
  readonly atOnce: number
  readonly perKey: number
  /** How much work may wait. */
  readonly waiting: number
  /** How long work may wait for its turn, in milliseconds. */
  readonly maxWaitMs?: number
  /** How long the slot of finished work stays empty, in milliseconds, by how long the work took. */
  readonly restMs?: (tookMs: number) => number
}

/**
 * Creates a queue that runs only a little work at once. Keys take turns, so that a key with much
 * work does not hold up the others. If too much work waits, the last work of the key with the most
 * is refused.
 */
export function createFairQueue({
  atOnce,
  perKey,
  waiting,
  maxWaitMs = 10_000,
  restMs,
}: Limits): FairQueue {
  const queues = new Map<string, Waiting[]>()
  const running = new Map<string, number>()
  let total = 0
  let queued = 0
  const getRunning = (key: string) => running.get(key) ?? 0
  const canRunNow = (key: string) => total < atOnce && getRunning(key) < perKey
  const count = (key: string, change: number) => {
    total += change
    const own = getRunning(key) + change
    if (own === 0) running.delete(key)
    else running.set(key, own)
  }
  const openNext = () => {
    for (const [key, queue] of queues) {
      if (!canRunNow(key)) continue
      const next = queue.shift()
      // Moves the key to the end of the queue.
      queues.delete(key)
      if (queue.length > 0) queues.set(key, queue)
      queued--
      count(key, 1)
      next?.begin()
      return
    }
  }
  const enter = (key: string): Promise<void> | undefined => {
    if (canRunNow(key)) {
      count(key, 1)
      return undefined
    }
    if (queued >= waiting) refuseLast(findLongest(queues), (queues.get(key) ?? []).length)
    queued++
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        settle()
      }
      const own: Waiting = {
        begin: () => end(resolve),
        refuse(reason) {
          const rest = (queues.get(key) ?? []).filter((one) => one !== own)
          if (rest.length > 0) queues.set(key, rest)
          else queues.delete(key)
          queued--
          end(() => reject(new QueueFull(reason)))
        },
      }
      const timer = setTimeout(
        () => own.refuse('The request waited too long for its turn'),
        maxWaitMs,
      )
      queues.set(key, [...(queues.get(key) ?? []), own])
    })
  }
  const leave = (key: string) => {
    count(key, -1)
    openNext()
  }
  return async (key, work) => {
    await enter(key)
    const startedAtMs = performance.now()
    try {
      return await work()
    } finally {
      const rest = restMs?.(performance.now() - startedAtMs) ?? 0
      if (rest > 0) setTimeout(leave, rest, key).unref()
      else leave(key)
    }
  }
}

type Waiting = { readonly begin: () => void; readonly refuse: (reason: string) => void }

const findLongest = (queues: ReadonlyMap<string, readonly Waiting[]>) =>
  [...queues.values()].reduce((one, other) => (other.length > one.length ? other : one), [])

/**
 * Refuses the last work of the longest queue or, if that queue is hardly longer than the caller's
 * own, the new work.
 */
function refuseLast(longest: readonly Waiting[], own: number): void {
  const last = longest.at(-1)
  if (!last || longest.length <= own + 1) throw new QueueFull('Too many requests wait already')
  last.refuse('Too many requests wait already')
}
