import { createCounts } from '../kv/counts.ts'

type Limits = {
  readonly total: number
  readonly perKey: number
  /** How many run at once of one client. */
  readonly perClient: number
  /** The slots of `total` that all recently slow keys share. */
  readonly slow: number
  /** The most tasks that may wait for one key. */
  readonly waiting: number
  /** The most tasks that may wait in all, and of one client. */
  readonly waitingInAll: number
  readonly waitingPerClient: number
}

/** Limits how many tasks run at once, for one key (a site, a contract), for one client and in total. */
export type Slots = {
  /** Runs `work` as soon as a slot is free. Rejects with the reason of `signal`, or at once with `full` if too many tasks wait. */
  run<Result>(parameters: Turn<Result>): Promise<Result>
}

type Turn<Result> = {
  readonly key: string
  /** Undefined for the server's own work. */
  readonly client?: string | undefined
  readonly signal: AbortSignal
  readonly full: () => Error
  readonly work: () => Promise<Result>
}

type Asking = Pick<Turn<unknown>, 'key' | 'client'>
type Waiting = Asking & { readonly go: () => void }

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
 * minutes. A client has a share of the slots: an attacker with slow servers of many names delays itself.
 */
export function createSlots(
  limits: Limits,
  { now = () => performance.now(), steady = new Set() }: SlotOptions = {},
): Slots {
  const running = new Map<string, number>()
  const byClient = createCounts()
  const slowUntil = new Map<string, number>()
  const waiting = new Set<Waiting>()
  const isSlow = (key: string) => (slowUntil.get(key) ?? 0) > now()
  const count = (counts: (key: string) => boolean) =>
    [...running].reduce((sum, [key, times]) => (counts(key) ? sum + times : sum), 0)
  const isFree = ({ key, client }: Asking) =>
    count(() => true) < limits.total &&
    (client === undefined || byClient.get(client) < limits.perClient) &&
    (running.get(key) ?? 0) < limits.perKey &&
    (!isSlow(key) || count(isSlow) < limits.slow)
  const countWaiting = (counts: (entry: Waiting) => boolean) => [...waiting].filter(counts).length
  const isFull = ({ key, client }: Asking) =>
    waiting.size >= limits.waitingInAll ||
    (client !== undefined &&
      countWaiting((entry) => entry.client === client) >= limits.waitingPerClient) ||
    countWaiting((entry) => entry.key === key) >= limits.waiting
  const occupy = ({ key, client }: Asking) => {
    running.set(key, (running.get(key) ?? 0) + 1)
    if (client !== undefined) byClient.enter([{ key: client, most: Infinity }])
  }
  const release = ({ key, client }: Asking) => {
    if (client !== undefined) byClient.leave([client])
    const others = (running.get(key) ?? 1) - 1
    if (others > 0) running.set(key, others)
    else running.delete(key)
    for (const next of waiting) {
      if (!isFree(next)) continue
      waiting.delete(next)
      occupy(next)
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
  const enter = (asking: Asking, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        reject(signal.reason)
      }
      const entry: Waiting = {
        ...asking,
        go: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(entry)
    })
  return {
    async run({ key, client, signal, full, work }) {
      signal.throwIfAborted()
      const asking = { key, client }
      if (isFree(asking)) occupy(asking)
      else if (isFull(asking)) throw full()
      else await enter(asking, signal)
      const startedAtMs = now()
      try {
        return await work()
      } finally {
        recordTime(key, now() - startedAtMs)
        release(asking)
      }
    },
  }
}
