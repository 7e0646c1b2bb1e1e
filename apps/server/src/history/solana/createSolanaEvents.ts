import { type ChainId, isError } from '@latchkey/wire'
import type { Upstreams } from '../../nodes/upstreams.ts'
import type { Services } from '../../services.ts'
import { readAssets } from '../../solana/readAssets.ts'
import type { AccountEvents } from '../accountEvents.ts'
import { expireAccount } from './solanaStore.ts'

type Needs = Pick<Services, 'db' | 'log'> & { readonly upstreams: Upstreams }
type Listener = Parameters<AccountEvents['listen']>[1]
type Account = { readonly chainId: ChainId; readonly owner: string }

const defaultEveryMs = 4_000

/**
 * News of Solana accounts: while somebody listens, what an account holds is read every few seconds, once for all
 * listeners. Every transaction of its own changes that, because of its fee, and so does everything that it receives.
 */
export function createSolanaEvents(needs: Needs, everyMs = defaultEveryMs): AccountEvents {
  const watched = new Map<string, ReturnType<typeof watchAccount>>()
  return {
    listen({ chainId, address: owner }, listener) {
      const key = `${chainId}:${owner}`
      const one = watched.get(key) ?? watchAccount(needs, { chainId, owner }, everyMs)
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

function watchAccount({ db, log, upstreams }: Needs, account: Account, everyMs: number) {
  const { chainId, owner } = account
  const listeners = new Set<Listener>()
  let last: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const look = async () => {
    try {
      const held = await readAssets({ upstreams, chainId }, owner)
      const amounts = held.tokenAccounts.map(({ address, amount }) => `${address} ${amount}`)
      const current = [held.lamports, ...amounts.sort()].join(' ')
      if (last !== undefined && current !== last) {
        await expireAccount(db, account)
        for (const tell of [...listeners]) tell({ type: 'changed' })
      }
      last = current
    } catch (error) {
      // The next look is soon.
      if (!isError(error)) log.error({ err: error, chain: chainId }, 'account not watched')
    }
    if (!isStopped) timer = setTimeout(look, everyMs).unref()
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
