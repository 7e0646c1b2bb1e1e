import { type ChainId, isError } from '@latchkey/wire'
import type { Services } from '../services.ts'
import type { AccountEvents } from './accountEvents.ts'

type Account = { readonly chainId: ChainId; readonly address: string }
type Listener = Parameters<AccountEvents['listen']>[1]

type Needs = Pick<Services, 'log'> & {
  /** A text that is another one when something of the account has changed. Throws one of our errors while the nodes are away. */
  read(account: Account): Promise<string>
  /** What has to happen before a change is announced. */
  expire?(account: Account): Promise<void>
}

const defaultEveryMs = 4_000
/** With many accounts each is read less often, so that no more than twenty a second are read. */
const perAccountMs = 50

/**
 * News of accounts that no node announces: while a page listens to an account, it is read every few seconds, once for all
 * its listeners. Quiet listeners receive the events that others cause, and cause no reads.
 */
export function createPolledEvents(needs: Needs, everyMs = defaultEveryMs): AccountEvents {
  const watched = new Map<string, ReturnType<typeof watchAccount>>()
  const quiet = new Map<string, Set<Listener>>()
  const getDelayMs = () => Math.max(everyMs, watched.size * perAccountMs)
  return {
    listen(account, listener, mode) {
      const key = `${account.chainId}:${account.address}`
      if (mode === 'quiet') return addQuietly(quiet, key, listener)
      const listeners = () => [...(quiet.get(key) ?? []), ...one.listeners]
      const one = watched.get(key) ?? watchAccount(needs, { account, getDelayMs, listeners })
      watched.set(key, one)
      one.listeners.add(listener)
      return () => {
        one.listeners.delete(listener)
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
  /** The listeners of a change: quiet ones first, because they drop the cached answers that the others will request. */
  listeners(): Listener[]
}

function watchAccount(
  { log, read, expire }: Needs,
  { account, getDelayMs, listeners: getListeners }: Watch,
) {
  const listeners = new Set<Listener>()
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
