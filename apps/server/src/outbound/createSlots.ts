type Limits = {
  readonly total: number
  readonly perKey: number
  /** The slots of `total` that all recently slow keys share. */
  readonly slow: number
  /** The most tasks that may wait for one key. */
  readonly waiting: number
  readonly waitingInAll: number
}

/** Limits how many tasks run at once, for one key (a site, a contract) and in total. */
export type Slots = {
  /** Runs `work` as soon as a slot is free. Rejects with the reason of `signal`, or at once with `full` if too many tasks wait. */
  run<Result>(parameters: Turn<Result>): Promise<Result>
}

type Turn<Result> = {
  readonly key: string
  readonly signal: AbortSignal
  readonly full: () => Error
  readonly work: () => Promise<Result>
}

type Waiting = { readonly key: string; readonly go: () => void }

const slowMs = 3_000
const slowForMs = 300_000
const maxSlow = 10_000

type SlotOptions = {
  /** Keys that are never treated as slow. */
  readonly steady?: ReadonlySet<string>
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number
}

/**
 * Creates slots. A key whose work took more than three seconds shares a few slots with all other slow keys for five
 * minutes. A deliberately slow server would have to use new keys all the time to delay the others.
 */
export function createSlots(
  limits: Limits,
  { now = () => performance.now(), steady = new Set() }: SlotOptions = {},
): Slots {
  const running = new Map<string, number>()
  const slowUntil = new Map<string, number>()
  const waiting = new Set<Waiting>()
  const isSlow = (key: string) => (slowUntil.get(key) ?? 0) > now()
  const count = (counts: (key: string) => boolean) =>
    [...running].reduce((sum, [key, times]) => (counts(key) ? sum + times : sum), 0)
  const isFree = (key: string) =>
    count(() => true) < limits.total &&
    (running.get(key) ?? 0) < limits.perKey &&
    (!isSlow(key) || count(isSlow) < limits.slow)
  const isFull = (key: string) =>
    waiting.size >= limits.waitingInAll ||
    [...waiting].filter((entry) => entry.key === key).length >= limits.waiting
  const occupy = (key: string) => running.set(key, (running.get(key) ?? 0) + 1)
  const release = (key: string) => {
    const others = (running.get(key) ?? 1) - 1
    if (others > 0) running.set(key, others)
    else running.delete(key)
    for (const next of waiting) {
      if (!isFree(next.key)) continue
      waiting.delete(next)
      occupy(next.key)
      next.go()
    }
  }
  const recordTime = (key: string, ms: number) => {
    if (ms <= slowMs || steady.has(key)) return
    slowUntil.delete(key)
    slowUntil.set(key, now() + slowForMs)
    const [oldest] = slowUntil.keys()
    if (slowUntil.size > maxSlow && oldest !== undefined) slowUntil.delete(oldest)
  }
  const enter = (key: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        reject(signal.reason)
      }
      const entry: Waiting = {
        key,
        go: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(entry)
    })
  return {
    async run({ key, signal, full, work }) {
      signal.throwIfAborted()
      if (isFree(key)) occupy(key)
      else if (isFull(key)) throw full()
      else await enter(key, signal)
      const startedAtMs = now()
      try {
        return await work()
      } finally {
        recordTime(key, now() - startedAtMs)
        release(key)
      }
    },
  }
}
