type Limits = {
  readonly total: number
  readonly perHost: number
  /** Most that wait for one host. */
  readonly waiting: number
}

/** Turns for work: so many at once for one host and in all. */
export type Slots = {
  /** Does `work` when it is its turn. Rejects with what `signal` says, or at once when too many wait (`full`). */
  run<Result>(parameters: Turn<Result>): Promise<Result>
}

type Turn<Result> = {
  readonly host: string
  readonly signal: AbortSignal
  readonly full: () => Error
  readonly work: () => Promise<Result>
}

type Waiting = { readonly host: string; readonly go: () => void }

export function createSlots({ total, perHost, waiting: mostWaiting }: Limits): Slots {
  const running = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let all = 0
  const isFree = (host: string) => all < total && (running.get(host) ?? 0) < perHost
  const occupy = (host: string) => {
    all++
    running.set(host, (running.get(host) ?? 0) + 1)
  }
  const release = (host: string) => {
    all--
    const left = (running.get(host) ?? 1) - 1
    if (left > 0) running.set(host, left)
    else running.delete(host)
    for (const next of waiting) {
      if (!isFree(next.host)) continue
      waiting.delete(next)
      occupy(next.host)
      next.go()
      return
    }
  }
  const enter = (host: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry)
        reject(signal.reason)
      }
      const entry: Waiting = {
        host,
        go: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.add(entry)
    })
  return {
    async run({ host, signal, full, work }) {
      signal.throwIfAborted()
      if (isFree(host)) occupy(host)
      else {
        if ([...waiting].filter((entry) => entry.host === host).length >= mostWaiting) throw full()
        await enter(host, signal)
      }
      try {
        return await work()
      } finally {
        release(host)
      }
    },
  }
}
