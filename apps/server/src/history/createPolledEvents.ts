import { type ChainId, isError } from '@latchkey/wire'
import { createCounts } from '../kv/counts.ts'
import type { Services } from '../services.ts'
import type { AccountEvents } from './accountEvents.ts'

type Account = { readonly chainId: ChainId; readonly address: string }
type Listener = Parameters<AccountEvents['listen']>[1]

type PolledEventsDeps = Pick<Services, 'log'> & {
  /**
   * A string that differs whenever the account has changed. Throws a `LatchkeyError` while the
   * nodes are unavailable.
   */
  read(account: Account): Promise<string>
  /** Runs before a change is announced. */
  expire?(account: Account): Promise<void>
}

const defaultEveryMs = 4_000
/** With many accounts each is read less often, so that no more than twenty a second are read. */
const perAccountMs = 50
/** All listeners without a client share this key. */
const noClient = -1

/**
 * Events of accounts that no node announces: while a page listens to an account, it is read every
 * few seconds, once for all its listeners. If there are too many accounts, each client has the same
 * share of the reads. Quiet listeners receive the events that others cause, and cause no reads.
 */
export function createPolledEvents(
  deps: PolledEventsDeps,
  everyMs = defaultEveryMs,
): AccountEvents {
  const watched = new Map<string, WatchedAccount>()
  const quiet = new Map<string, Set<Listener>>()
  /** How many accounts each client listens to. */
  const counts = createCounts()
  return {
    listen(account, listener, by) {
      const key = `${account.chainId}:${account.address}`
      if (by === 'quiet') return addQuietly(quiet, key, listener)
      const client = String(by?.address ?? noClient)
      counts.enter([{ key: client, most: Number.POSITIVE_INFINITY }])
      const listeners = (): Listener[] => [...(quiet.get(key) ?? []), ...one.listeners.keys()]
      const getDelayMs = () => {
        const least = Math.min(...[...one.listeners.values()].map(counts.get))
        return Math.max(everyMs, counts.keys().length * least * perAccountMs)
      }
      const one: WatchedAccount =
        watched.get(key) ?? watchAccount(deps, { account, getDelayMs, listeners })
      watched.set(key, one)
      one.listeners.set(listener, client)
      return () => {
        if (one.listeners.delete(listener)) counts.leave([client])
        if (one.listeners.size > 0 || watched.get(key) !== one) return
        watched.delete(key)
        one.stop()
      }
    },
    sync: async () => ({ complete: true, progress: 1, since: null }),
  }
}

function addQuietly(quiet: Map<string, Set<Listener>>, key: string, listener: Listener) {
  const listeners = quiet.get(key) ?? new Set()
  quiet.set(key, listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && quiet.get(key) === listeners) quiet.delete(key)
  }
}

type Watch = {
  readonly account: Account
  getDelayMs(): number
  /**
   * The listeners of a change: quiet ones first, because they drop the cached responses that the
   * others will request.
   */
  listeners(): Listener[]
}

type WatchedAccount = {
  /** The listeners, with the client of each. */
  readonly listeners: Map<Listener, string>
  stop(): void
}

function watchAccount(
  { log, read, expire }: PolledEventsDeps,
  { account, getDelayMs, listeners: getListeners }: Watch,
): WatchedAccount {
  const listeners = new Map<Listener, string>()
  let last: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const look = async () => {
    try {
      const current = await read(account)
      if (last !== undefined && current !== last) {
        await expire?.(account)
        for (const tell of getListeners()) tell({ type: 'changed' })
      }
      last = current
    } catch (error) {
      // The next poll follows soon.
      if (!isError(error)) log.error({ err: error, chain: account.chainId }, 'account not watched')
    }
    if (!isStopped) timer = setTimeout(look, getDelayMs()).unref()
  }
  void look()
  return {
    listeners,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
