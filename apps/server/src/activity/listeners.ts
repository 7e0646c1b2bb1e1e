import type { Logger } from 'pino'
import { getErrorMessage } from '../getErrorMessage.ts'
import type { Account, Activity } from './activity.ts'

type Listener = Parameters<Activity['listen']>[1]
type Event = Parameters<Listener>[0]

/** Well within the time after which a listener counts as gone. */
const renewMs = 15_000

type Entry = {
  readonly account: Account
  readonly all: Set<Listener>
  /** Those of them that are not announced to the other processes. */
  readonly quiet: Set<Listener>
}

const isQuiet = ({ all, quiet }: Entry) => all.size === quiet.size

/** The listeners of this process by account. Announces them to the other processes while there are any. */
export function createListeners({
  ask,
  log,
}: {
  ask(accounts: readonly Account[]): Promise<void>
  readonly log: Logger
}) {
  const byAccount = new Map<string, Entry>()
  let timer: ReturnType<typeof setInterval> | undefined
  const announce = (accounts: readonly Account[]) => {
    ask(accounts).catch(() => log.warn('could not ask for the activity of accounts'))
  }
  const notifyEach = (all: Iterable<Listener>, event: Event) => {
    for (const listener of all)
      try {
        listener(event)
      } catch (error) {
        log.error({ reason: getErrorMessage(error) }, 'a listener failed')
      }
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    add(account: Account, listener: Listener, quiet?: 'quiet'): () => void {
      const key = accountKey(account.chainId, account.address)
      // One of its own, so that the same function may listen twice.
      const own: Listener = (event) => listener(event)
      const entry = byAccount.get(key) ?? { account, all: new Set(), quiet: new Set() }
      byAccount.set(key, entry)
      if (quiet) entry.quiet.add(own)
      else if (isQuiet(entry)) announce([account])
      entry.all.add(own)
      timer ??= setInterval(() => {
        const loud = [...byAccount.values()].filter((one) => !isQuiet(one))
        announce(loud.map((one) => one.account))
      }, renewMs)
      return () => {
        entry.all.delete(own)
        entry.quiet.delete(own)
        if (entry.all.size === 0 && byAccount.get(key) === entry) byAccount.delete(key)
        if (byAccount.size === 0) stop()
      }
    },
    notify(chainId: string, address: string, type: Event['type']): void {
      notifyEach(byAccount.get(accountKey(chainId, address))?.all ?? [], { type })
    },
    /** Notifications may have been lost: makes every listener read again. */
    notifyAll(): void {
      for (const { all } of byAccount.values()) notifyEach(all, { type: 'changed' })
    },
    stop,
  }
}

const accountKey = (chainId: string, address: string) => `${chainId} ${address}`
