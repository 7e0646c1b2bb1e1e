import { createCounts } from '../kv/counts.ts'

type Limits = {
  readonly total: number
  readonly perKey: number
  /** The most concurrent tasks of one client. */
  readonly perClient: number
  /** The slots of `total` that all recently slow keys share. */
  readonly slow: number
  /** The most tasks that may wait for one key. */
  readonly waiting: number
  /** The most tasks that may wait in total, and of one client. */
  readonly waitingInAll: number
  readonly waitingPerClient: number
}

/**
 * Limits how many tasks run at once, for one key (a site, a contract), for one client and in total.
 */
export type ConcurrencyLimit = {
  /**
   * Runs `work` as soon as a slot is free. Rejects with the reason of `signal`, or with `full` if
   * too many tasks wait.
   */
  run<Result>(parameters: Task<Result>): Promise<Result>
}

type Task<Result> = {
  readonly key: string
  /** Undefined for the server's own work. */
  readonly client?: string | undefined
  readonly signal: AbortSignal
  readonly full: () => Error
  readonly work: () => Promise<Result>
}

type TaskOwner = Pick<Task<unknown>, 'key' | 'client'>
type WaitingTask = TaskOwner & { readonly go: () => void; readonly refuse: () => void }

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
 * Creates a limit. A key whose work took more than three seconds shares a few slots with all other
 * slow keys for five minutes. A client has a share of the slots, and a free slot goes to the client
 * with the fewest running tasks. If too many tasks wait, the newest task of the client with the
 * most tasks is refused. So an attacker with slow servers of many names delays only itself.
 */
export function createConcurrencyLimit(
  limits: Limits,
  { now = () => performance.now(), steady = new Set() }: SlotOptions = {},
): ConcurrencyLimit {
  const running = new Map<string, number>()
  const byClient = createCounts()
  const slowUntil = new Map<string, number>()
  const waiting = new Set<WaitingTask>()
  const isSlow = (key: string) => (slowUntil.get(key) ?? 0) > now()
  const count = (counts: (key: string) => boolean) =>
    [...running].reduce((sum, [key, times]) => (counts(key) ? sum + times : sum), 0)
  const isFree = ({ key, client }: TaskOwner) =>
    count(() => true) < limits.total &&
    (client === undefined || byClient.get(client) < limits.perClient) &&
    (running.get(key) ?? 0) < limits.perKey &&
    (!isSlow(key) || count(isSlow) < limits.slow)
  const listWaiting = (counts: (entry: TaskOwner) => boolean) => [...waiting].filter(counts)
  /** The waiting tasks that compete with the new one for a full queue; none if there is room. */
  const listFull = ({ key, client }: TaskOwner) => {
    const own = listWaiting((entry) => client !== undefined && entry.client === client)
    const ofKey = listWaiting((entry) => entry.key === key)
    if (own.length >= limits.waitingPerClient) return own
    if (ofKey.length >= limits.waiting) return ofKey
    return waiting.size >= limits.waitingInAll ? [...waiting] : []
  }
  /**
   * Makes room for a task that has to wait. Returns false if the new task itself must be refused.
   */
  const makeRoom = (asking: TaskOwner) => {
    const full = listFull(asking)
    if (full.length === 0) return true
    const lists = new Map<string | undefined, WaitingTask[]>()
    for (const entry of full) {
      const list = lists.get(entry.client) ?? []
      list.push(entry)
      lists.set(entry.client, list)
    }
    const most = [...lists.values()].reduce((one, other) =>
      other.length > one.length ? other : one,
    )
    if (most.length <= (lists.get(asking.client)?.length ?? 0) + 1) return false
    most.at(-1)?.refuse()
    return true
  }
  const occupy = ({ key, client }: TaskOwner) => {
    running.set(key, (running.get(key) ?? 0) + 1)
    if (client !== undefined) byClient.enter([{ key: client, most: Infinity }])
  }
  /** The task whose client has the fewest running tasks, the oldest of these. */
  const findNext = () => {
    const running = ({ client }: TaskOwner) => (client === undefined ? 0 : byClient.get(client))
    return listWaiting(isFree).sort((a, b) => running(a) - running(b))[0]
  }
  const release = ({ key, client }: TaskOwner) => {
    if (client !== undefined) byClient.leave([client])
    const others = (running.get(key) ?? 1) - 1
    if (others > 0) running.set(key, others)
    else running.delete(key)
    for (let next = findNext(); next !== undefined; next = findNext()) {
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
  const enter = (asking: TaskOwner, { signal, full }: Pick<Task<unknown>, 'signal' | 'full'>) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => end(() => reject(signal.reason))
      const end = (settle: () => void) => {
        waiting.delete(entry)
        signal.removeEventListener('abort', leave)
        settle()
      }
      const entry: WaitingTask = {
        ...asking,
        go: () => end(resolve),
        refuse: () => end(() => reject(full())),
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(entry)
    })
  return {
    async run({ key, client, signal, full, work }) {
      signal.throwIfAborted()
      const asking = { key, client }
      if (isFree(asking)) occupy(asking)
      else if (!makeRoom(asking)) throw full()
      else await enter(asking, { signal, full })
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
