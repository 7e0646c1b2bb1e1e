import type { ChainId } from '@latchkey/wire'
import type { Awaitable } from '../awaitable.ts'
import type { Services } from '../services.ts'
import type { AccountNews } from './holding.ts'

type CacheAnswersDeps = Pick<Services, 'kv'> & {
  readonly events: AccountNews | undefined
}

type CachedRequest = {
  readonly key: string
  readonly owner: string
  /** The chains that report events of accounts: a change there invalidates the response. */
  readonly chainIds: readonly ChainId[]
  readonly seconds: number
}

/** A cache of JSON responses about accounts. */
export type AnswerCache = {
  get(key: string): Awaitable<string | undefined>
  /** Reads a new response, once for all concurrent requests, and caches it if `read` allows. */
  fill(
    question: CachedRequest,
    read: () => Promise<{ readonly text: string; readonly keep: boolean }>,
  ): Promise<string>
  forget(keys: readonly string[]): Promise<void>
}

type Watch = { changed: boolean; timer?: NodeJS.Timeout; off(): void }

/**
 * Caches responses for some seconds, and no longer than until the account's activity changes: the
 * process that stored a response listens while it is stored, and removes it for all processes that
 * share the kv.
 */
export function createAnswerCache({ kv, events }: CacheAnswersDeps): AnswerCache {
  const pending = new Map<string, Promise<string>>()
  const watched = new Map<string, Watch>()
  // A read in progress may return older data: it is not cached, and later requests do not join it.
  const outdate = (key: string, state: Watch | undefined) => {
    if (state !== undefined) state.changed = true
    pending.delete(key)
  }
  const watch = ({ key, owner, chainIds }: CachedRequest) => {
    const onEvent = ({ type }: { readonly type: 'changed' | 'sync' }) => {
      if (type !== 'changed') return
      outdate(key, state)
      void kv.delete(key)
    }
    // Quietly: a short cache is no reason to poll the chains more often.
    const offs = chainIds.map((chainId) =>
      events?.listen({ chainId, address: owner }, onEvent, 'quiet'),
    )
    const state: Watch = {
      changed: false,
      off() {
        clearTimeout(state.timer)
        for (const one of offs) one?.()
        if (watched.get(key) === state) watched.delete(key)
      },
    }
    const before = watched.get(key)
    if (before !== undefined) before.changed = true
    before?.off()
    watched.set(key, state)
    return state
  }
  const answer = async (
    question: CachedRequest,
    read: () => Promise<{ readonly text: string; readonly keep: boolean }>,
  ) => {
    const { key, seconds } = question
    // Before reading, so that a change in the meantime is not missed.
    const state = watch(question)
    try {
      const { text, keep } = await read()
      if (keep && !state.changed) {
        await kv.set(key, text, seconds)
        state.timer = setTimeout(state.off, seconds * 1000).unref()
      }
      return text
    } finally {
      if (state.timer === undefined) state.off()
    }
  }
  return {
    get: (key) => kv.get(key),
    fill(question, read) {
      const { key } = question
      const known = pending.get(key)
      if (known !== undefined) return known
      const filling = answer(question, read).finally(() => {
        if (pending.get(key) === filling) pending.delete(key)
      })
      pending.set(key, filling)
      return filling
    },
    async forget(keys) {
      const forgetting = keys.map((key) => {
        outdate(key, watched.get(key))
        return kv.delete(key)
      })
      await Promise.all(forgetting)
    },
  }
}
