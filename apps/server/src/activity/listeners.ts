import type { Logger } from 'pino'
import { getErrorMessage } from '../getErrorMessage.ts'
import type { Activity, Asker, FollowedAccount } from './activity.ts'

type Listener = Parameters<Activity['listen']>[1]
type Event = Parameters<Listener>[0]

/** How often listeners are renewed: well within the time after which a listener counts as gone. */
const renewMs = 15_000

type Entry = {
  readonly account: FollowedAccount
  readonly all: Set<Listener>
  /** The listeners that are not announced to the other processes. */
  readonly quiet: Set<Listener>
  /** The client that requested the account first. */
  asker: Asker | undefined
}

const isQuiet = ({ all, quiet }: Entry) => all.size === quiet.size

/**
 * The listeners of this process by account. Announces them to the other processes while the account
 * has listeners.
 */
export function createListeners({
  ask,
  log,
}: {
  ask(accounts: readonly FollowedAccount[], asker: Asker | undefined): Promise<void>
  readonly log: Logger
}) {
  const byAccount = new Map<string, Entry>()
  let timer: ReturnType<typeof setInterval> | undefined
  const announce = (accounts: readonly FollowedAccount[], asker: Asker | undefined) => {
    ask(accounts, asker).catch(() => log.warn('could not request the activity of accounts'))
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
    add(account: FollowedAccount, listener: Listener, by?: 'quiet' | Asker): () => void {
      const key = accountKey(account.chainId, account.address)
      // A new function for each call, so that the same listener can be registered twice.
      const own: Listener = (event) => listener(event)
      const entry = byAccount.get(key) ?? {
        account,
        all: new Set(),
        quiet: new Set(),
        asker: undefined,
      }
      byAccount.set(key, entry)
      if (by === 'quiet') entry.quiet.add(own)
      else if (isQuiet(entry)) {
        entry.asker = by
        announce([account], by)
      }
      entry.all.add(own)
      timer ??= setInterval(() => {
        const loud = [...byAccount.values()].filter((one) => !isQuiet(one))
        for (const asker of new Set(loud.map((one) => one.asker)))
          announce(
            loud.filter((one) => one.asker === asker).map((one) => one.account),
            asker,
          )
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
